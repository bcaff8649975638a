import gzip
import hashlib
import os
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.data import sources
from core.data.download import Collection, Remote, fetch
from core.data.sources import load_dataset
from core.errors import InputError
from core.progress import Cancelled
from tests.core.data.files import contents

PAYLOADS = contents(train=300, test=100)
PACKED = {f"/{name}.gz": gzip.compress(payload) for name, payload in PAYLOADS.items()}
IMAGES = "train-images-idx3-ubyte"


class Mirror:
    """A web server on loopback which can be told to misbehave."""

    def __init__(self):
        self.files = dict(PACKED)
        self.requests: list[tuple[str, str | None]] = []
        self.resumes = True
        self.break_off: int | None = None
        self.stall = threading.Event()
        self.stalls = False
        self.address = ""


@contextmanager
def serving(mirror: Mirror):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            wanted = self.headers.get("Range")
            mirror.requests.append((self.path, wanted))
            content = mirror.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            start = 0
            if wanted and mirror.resumes:
                start = int(wanted.removeprefix("bytes=").removesuffix("-"))
                if start >= len(content):
                    self.send_error(416)
                    return
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            body = content[start:]
            if mirror.break_off is not None:
                body, mirror.break_off = body[: mirror.break_off], None
                self.close_connection = True
            if mirror.stalls:
                self.wfile.write(body[:100])
                self.wfile.flush()
                mirror.stall.wait()
                return
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    mirror.address = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield mirror
    finally:
        mirror.stall.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def mirror():
    with serving(Mirror()) as first:
        yield first


@pytest.fixture
def second_mirror():
    with serving(Mirror()) as second:
        yield second


def collection(*mirrors: Mirror) -> Collection:
    remotes = tuple(
        Remote(name, hashlib.sha256(payload).hexdigest(), len(payload), len(PACKED[f"/{name}.gz"]))
        for name, payload in PAYLOADS.items()
    )
    return Collection("Little digits", tuple(mirror.address for mirror in mirrors), remotes)


def test_all_files_are_unpacked_with_progress_and_can_be_loaded(tmp_path, mirror):
    seen = []
    folder = fetch(
        collection(mirror), tmp_path / "new", lambda done, total: seen.append((done, total))
    )
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == PAYLOADS
    assert seen == sorted(seen)
    assert seen[-1] == (sum(map(len, PACKED.values())),) * 2
    assert len(load_dataset(folder).train) == 300


def test_files_that_are_there_are_not_downloaded_again(tmp_path, mirror):
    fetch(collection(mirror), tmp_path)
    (tmp_path / IMAGES).unlink()
    mirror.requests.clear()
    fetch(collection(mirror), tmp_path)
    assert [path for path, _ in mirror.requests] == [f"/{IMAGES}.gz"]


def test_a_broken_connection_is_resumed_where_it_broke(tmp_path, mirror):
    mirror.break_off = 1000
    with pytest.raises(InputError, match="connection broke"):
        fetch(collection(mirror), tmp_path)
    fetch(collection(mirror), tmp_path)
    assert mirror.requests[:2] == [(f"/{IMAGES}.gz", None), (f"/{IMAGES}.gz", "bytes=1000-")]
    assert (tmp_path / IMAGES).read_bytes() == PAYLOADS[IMAGES]
    assert not list(tmp_path.glob("*.part"))


def test_a_broken_connection_is_continued_by_the_other_mirror(tmp_path, mirror, second_mirror):
    mirror.break_off = 1000
    fetch(collection(mirror, second_mirror), tmp_path)
    assert second_mirror.requests == [(f"/{IMAGES}.gz", "bytes=1000-")]


def test_a_server_that_cannot_resume_sends_all(tmp_path, mirror):
    (tmp_path / f"{IMAGES}.gz.part").write_bytes(PACKED[f"/{IMAGES}.gz"][:500])
    mirror.resumes = False
    fetch(collection(mirror), tmp_path)
    assert (tmp_path / IMAGES).read_bytes() == PAYLOADS[IMAGES]


@pytest.mark.parametrize(
    "held", [b"of another packing", PACKED[f"/{IMAGES}.gz"] + b"too much"], ids=["other", "longer"]
)
def test_a_part_that_does_not_fit_is_fetched_anew(tmp_path, mirror, held):
    (tmp_path / f"{IMAGES}.gz.part").write_bytes(held)
    fetch(collection(mirror), tmp_path)
    assert (tmp_path / IMAGES).read_bytes() == PAYLOADS[IMAGES]


def test_a_complete_part_is_used(tmp_path, mirror):
    (tmp_path / f"{IMAGES}.gz.part").write_bytes(PACKED[f"/{IMAGES}.gz"])
    fetch(collection(mirror), tmp_path)
    assert (tmp_path / IMAGES).read_bytes() == PAYLOADS[IMAGES]


def test_a_missing_file_is_downloaded_from_the_other_mirror(tmp_path, mirror, second_mirror):
    del mirror.files[f"/{IMAGES}.gz"]
    fetch(collection(mirror, second_mirror), tmp_path)
    assert (tmp_path / IMAGES).read_bytes() == PAYLOADS[IMAGES]
    assert len(second_mirror.requests) == 1


@pytest.mark.parametrize(
    "content",
    [gzip.compress(b"other digits"), b"<html>sign in</html>", b""],
    ids=["other-content", "web-page", "nothing"],
)
def test_a_wrong_payload_is_never_kept(tmp_path, mirror, content):
    mirror.files[f"/{IMAGES}.gz"] = content
    with pytest.raises(InputError, match="the content is"):
        fetch(collection(mirror), tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_endless_file_is_aborted(tmp_path, mirror):
    mirror.files[f"/{IMAGES}.gz"] = bytes(3 * len(PACKED[f"/{IMAGES}.gz"]) + 200_000)
    with pytest.raises(InputError, match="more than the file has"):
        fetch(collection(mirror), tmp_path)


def test_after_a_timeout_the_other_mirror_is_used(tmp_path, mirror, second_mirror):
    mirror.stalls = True
    fetch(collection(mirror, second_mirror), tmp_path, timeout=0.3)
    assert (tmp_path / IMAGES).read_bytes() == PAYLOADS[IMAGES]


def test_a_timeout_is_named_with_its_seconds(tmp_path, mirror):
    mirror.stalls = True
    with pytest.raises(InputError, match=r"no answer for 0\.3 seconds"):
        fetch(collection(mirror), tmp_path, timeout=0.3)


def cancel_after_the_first_block(done, total):
    if done:
        raise Cancelled


def test_cancelling_keeps_the_part_for_the_next_time(tmp_path, mirror):
    with pytest.raises(InputError, match="cancelled"):
        fetch(collection(mirror), tmp_path, cancel_after_the_first_block)
    (part,) = tmp_path.glob("*.part")
    assert part.stat().st_size > 0
    fetch(collection(mirror), tmp_path)
    assert (tmp_path / IMAGES).read_bytes() == PAYLOADS[IMAGES]


def test_without_a_connection_the_error_says_what_to_do(tmp_path):
    with serving(Mirror()) as gone:
        pass
    with pytest.raises(InputError) as caught:
        fetch(collection(gone), tmp_path)
    text = str(caught.value)
    assert "built-in digits" in text
    assert str(tmp_path) in text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("name", [IMAGES, f"{IMAGES}.gz.part"])
def test_a_pipe_in_place_of_a_file_is_refused_at_once(tmp_path, mirror, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match="pipe, socket or device"):
        fetch(collection(mirror), tmp_path)
    assert mirror.requests == []


def test_a_folder_that_cannot_be_made_is_refused(tmp_path, mirror):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="could not be"):
        fetch(collection(mirror), tmp_path / "file" / "below")


def test_fetching_by_name_makes_the_source_available(home, mirror, monkeypatch):
    monkeypatch.delenv("DIGITLAB_DATA", raising=False)
    monkeypatch.setitem(sources.PUBLISHED, "mnist", collection(mirror))
    own = sources.Published("mnist", "MNIST")
    monkeypatch.setattr(sources, "SOURCES", (own,))
    assert not own.info().available
    folder = sources.fetch("mnist")
    assert home in folder.parents
    assert own.info().available
    assert len(load_dataset("mnist").train) == 300


def test_only_published_data_sets_can_be_fetched():
    with pytest.raises(InputError, match="mnist or fashion"):
        sources.fetch("builtin")


def test_check_sums_are_those_of_the_real_files(data_folder):
    from core.data.published import PUBLISHED

    for published, folder in (
        (PUBLISHED[name], data_folder / name) for name in ("mnist", "fashion")
    ):
        for remote in published.files:
            payload = gzip.decompress((folder / f"{remote.name}.gz").read_bytes())
            assert len(payload) == remote.unpacked
            assert hashlib.sha256(payload).hexdigest() == remote.sha256
