"""Random changes to the content of files."""

import gzip
import re
from math import inf, nan
from random import Random
from struct import pack_into

_NUMBERS = (
    b"0",
    b"-1",
    b"1e999",
    b"-1e308",
    b"nan",
    b"inf",
    b"1e-320",
    b"9" * 400,
    b"4294967296",
    b"0.5",
    b'"7"',
    b"null",
)
_BYTES = (
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\n",
    b'"',
    b"{",
    b"[" * 3000,
    b"\xff" * 8,
    b"(" * 500,
    b"\xe2\x80\xae",
    b"..",
    b"/",
)


def mutate(content: bytes, random: Random) -> bytes:
    """`content` with 1 to 4 random changes. Most gzip and safetensors files stay such files around
    them.
    """
    if content[:2] == b"\x1f\x8b" and random.random() < 0.8:
        return gzip.compress(mutate(gzip.decompress(content), random), 1)
    length = int.from_bytes(content[:8], "little")
    if content[8:10] == b'{"' and length <= len(content) - 8 and random.random() < 0.8:
        return _mutate_tensors(content[8 : 8 + length], content[8 + length :], random)
    for _ in range(random.choice((1, 1, 2, 4))):
        content = random.choice(_CHANGES)(content, random)
    return content


def _mutate_tensors(header: bytes, numbers: bytes, random: Random) -> bytes:
    """A safetensors file with a changed header, or with extreme values in its arrays."""
    if random.random() < 0.7 or len(numbers) < 4:
        header = mutate(header, random)
    else:
        changed = bytearray(numbers)
        for _ in range(random.choice((1, 3, 1000))):
            value = random.choice((nan, inf, 3e38, -3e38, 1e-45, 1e20))
            pack_into("<f", changed, 4 * random.randrange(len(numbers) // 4), value)
        numbers = bytes(changed)
    return len(header).to_bytes(8, "little") + header + numbers


def _flip_bits(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 3, 20))):
        if changed:
            changed[_position(changed, random)] ^= 1 << random.randrange(8)
    return bytes(changed)


def _set_byte(content: bytes, random: Random) -> bytes:
    position = _position(content, random)
    return content[:position] + bytes([random.randrange(256)]) + content[position + 1 :]


def _truncate(content: bytes, random: Random) -> bytes:
    return content[: _position(content, random)]


def _insert(content: bytes, random: Random) -> bytes:
    position = _position(content, random)
    return content[:position] + random.choice(_BYTES) + content[position:]


def _delete(content: bytes, random: Random) -> bytes:
    position = _position(content, random)
    return content[:position] + content[position + random.choice((1, 2, 8, 100)) :]


def _repeat(content: bytes, random: Random) -> bytes:
    start = _position(content, random)
    part = content[start : start + random.choice((1, 8, 100, 1000))]
    return content[:start] + part * random.choice((2, 3, 50)) + content[start:]


def _number(content: bytes, random: Random) -> bytes:
    """Replace one of the decimal numbers near the beginning."""
    numbers = list(re.finditer(rb"-?\d+(\.\d+)?", content[:20_000]))
    if not numbers:
        return _set_byte(content, random)
    match = random.choice(numbers)
    return content[: match.start()] + random.choice(_NUMBERS) + content[match.end() :]


_CHANGES = (_flip_bits, _set_byte, _truncate, _insert, _delete, _repeat, _number, _number)


def _position(content: bytes | bytearray, random: Random) -> int:
    """Half of the positions are in the first 300 bytes, where the headers are."""
    length = len(content)
    if not length:
        return 0
    end = min(length, 300) if random.random() < 0.5 else length
    return min(random.randrange(end), length - 1)
