"""The shape of the code becomes no worse: each kind of `tools.style_counts` keeps its recorded
limit.
"""

from tools.style_counts import aims, counts, missing


def test_no_count_is_worse_than_its_limit():
    limits = {kind: known["limit"] for kind, known in aims().items()}
    worse = {
        kind: number for kind, number in counts().items() if missing(kind, number, limits.pop(kind))
    }
    assert not worse, f"worse than the limit of tools/style_counts.toml: {worse}"
    assert not limits, "a kind that is not counted"
