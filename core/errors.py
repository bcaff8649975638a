"""A refusal is bad input answered with one sentence that says what to do instead."""


class InputError(Exception):
    """An English template and its values; the window translates the template, the command line prints it.

    `InputError("{path} is empty: choose a folder with IDX files.", path=path)`; `str()` gives the sentence.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.template.format(**self.values)
