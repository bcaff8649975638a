"""Plain kernels as a course writes them, with and without a fault: they try the checker, not a card.

They are of the kinds that GPUVerify's tests and HeCBench's programs have, and written anew. A file is a topic. Above
each kernel a comment in TOML says how it is launched, as the options of `workshop check` do: `kernel`, `args`, `grid`,
`block`, `sizes`, and `expect` or the text of a `reference`. `inputs` names arrays that no option can describe (`INPUTS`
of test_suite.py); `warns` is the warning that a right kernel gets.

A wrong kernel has one fault. The comment `# fault: KIND` is at each line that may be named for it: of a race all lines
that take part in it. A kernel without such a comment is right on a card.
"""
