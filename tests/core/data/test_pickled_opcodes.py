"""Pickles of arbitrary opcodes."""

import gzip
import pickletools

import pytest

from core.data.formats import pickled
from core.errors import InputError

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def argument_of(opcode) -> st.SearchStrategy[bytes]:
    """Bytes that may follow an opcode: a short number or string, or a line."""
    return st.one_of(
        st.binary(max_size=9), st.sampled_from([b"numpy\ndtype\n", b"I1\n", b"\x01", b"\x02f4"])
    )


OPCODES = st.sampled_from([code.code.encode("latin-1") for code in pickletools.opcodes])


@settings(
    max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(
    st.lists(
        OPCODES.flatmap(lambda code: argument_of(code).map(lambda tail: code + tail)), max_size=60
    )
)
def test_any_sequence_of_opcodes_gives_one_sentence(tmp_path, operations):
    path = tmp_path / "mnist.pkl.gz"
    path.write_bytes(gzip.compress(b"\x80\x04" + b"".join(operations) + b"."))
    with pytest.raises(InputError) as caught:
        pickled.read_pickled(path)
    assert len(str(caught.value)) < 500
