"""Translates the PTX of a kernel to a C function; `runtime.c` provides shared memory and special
registers.

PTX is typed assembly with any number of registers: each register becomes a variable, each
instruction a statement, each label a label. Arithmetic follows the PTX ISA 8 manual; `.approx` is
computed exactly. Only the instructions that the project's kernels use are translated; others raise
NotImplementedError with their line.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RUNTIME = Path(__file__).with_name("runtime.c")

_C = {
    "u8": "uint8_t",
    "s8": "int8_t",
    "b8": "uint8_t",
    "u16": "uint16_t",
    "s16": "int16_t",
    "b16": "uint16_t",
    "u32": "uint32_t",
    "s32": "int32_t",
    "b32": "uint32_t",
    "u64": "uint64_t",
    "s64": "int64_t",
    "b64": "uint64_t",
    "f32": "float",
    "f64": "double",
    "pred": "int",
}

_SPECIAL = {
    f"%{name}.{axis}": f"{value}[{index}]"
    for name, value in (
        ("tid", "now->place"),
        ("ntid", "ntid"),
        ("ctaid", "here->place"),
        ("nctaid", "nctaid"),
    )
    for index, axis in enumerate("xyz")
} | {"%dynamic_smem_size": "dynamic_bytes"}

_COMPARE = {
    "eq": "{1} == {2}",
    "ne": "{1} != {2}",
    "lt": "{1} < {2}",
    "le": "{1} <= {2}",
    "gt": "{1} > {2}",
    "ge": "{1} >= {2}",
    "equ": "!({1} < {2} || {1} > {2})",
    "neu": "!({1} == {2})",
    "ltu": "!({1} >= {2})",
    "leu": "!({1} > {2})",
    "gtu": "!({1} <= {2})",
    "geu": "!({1} < {2})",
    "num": "({1} == {1} && {2} == {2})",
    "nan": "({1} != {1} || {2} != {2})",
}

# Operands are {1}, {2} ... in the instruction's type. Integers are added and multiplied as
# unsigned, because signed overflow is undefined in C.
_PLAIN = {
    "add": "{1} + {2}", "sub": "{1} - {2}", "div": "{1} / {2}", "rem": "{1} % {2}", "neg": "-{1}",
    "and": "{1} & {2}", "or": "{1} | {2}", "xor": "{1} ^ {2}", "rcp": "1 / {1}", "cvta": "{1}",
}  # fmt: skip
_UNSIGNED = ("add", "sub", "neg", "mul", "mad")
_FLOATING = {
    "ex2": "exp2",
    "lg2": "log2",
    "sqrt": "sqrt",
    "abs": "fabs",
    "min": "fmin",
    "max": "fmax",
    "fma": "fma",
}


# Accesses by which a thread sees what other blocks do meanwhile.
_STRONG = {"volatile", "relaxed", "acquire", "release"}


@dataclass(frozen=True, slots=True)
class Translation:
    """`source`: text of a C file. `parameters`: PTX types of the kernel's parameters, in their
    order.
    """

    source: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Instruction:
    words: list[str]  # the parts of its name between the dots; the last is its type
    operands: list[str]
    line: int

    @property
    def name(self) -> str:
        return self.words[0]

    @property
    def type(self) -> str:
        return self.words[-1]


def translate(ptx: str) -> Translation:
    """Translate a module with one kernel. Raises NotImplementedError for an unknown instruction."""
    lines = ptx.splitlines()
    begin = next(k for k, line in enumerate(lines) if ".entry" in line)
    end = next(k for k in range(begin, len(lines)) if lines[k].strip() == ")")
    pairs = re.findall(r"\.param \.(\w+) (\w+)", "\n".join(lines[begin:end]))
    parameters = {name: kind for kind, name in pairs}
    shared, used = _shared(lines)
    constants = _constants(lines)
    variables, variable_bytes = _variables(lines)
    body = _Body(parameters, shared, variables, list(constants))
    body.translate(lines, next(k for k in range(end, len(lines)) if lines[k].strip() == "{") + 1)
    text = RUNTIME.read_text("utf-8")
    kernel = "\n".join(
        [
            *constants.values(),
            "static void kernel(void **given) {",
            *body.declarations,
            *body.statements,
            "}",
        ]
    )
    sizes = (
        f"#define SHARED {used}\n#define VARIABLES {variable_bytes}\n"
        f"#define MEET {int(body.blocks_meet)}\n"
    )
    source = sizes + text.replace("/* KERNEL */", kernel)
    return Translation(
        source + _description(list(parameters.values()), lines, used), tuple(parameters.values())
    )


def _description(parameters: list[str], lines: list[str], shared: int) -> str:
    """C definitions of what the driver has to know of the kernel."""
    bounds = re.search(r"\.maxntid (\d+)", "\n".join(lines))
    sizes = ", ".join(str(_bytes(kind)) for kind in (*parameters, "u8"))  # C has no empty array
    return (
        f"const int parameters = {len(parameters)};\n"
        f"const int sizes[] = {{{sizes}}};\n"
        f"const int most_threads = {bounds[1] if bounds else 1024};\n"
        f"const int shared_bytes = {shared};\n"
    )


def _shared(lines: list[str]) -> tuple[dict[str, int], int]:
    """The offset of each shared array by its name, and the bytes of all. Those whose size the
    launch tells begin after the others.
    """
    offsets, used = _offsets(r"\.shared", lines)
    dynamic = [
        m[1] for line in lines if (m := re.search(r"\.extern \.shared .*?([\w$]+)\[\];", line))
    ]
    if dynamic:
        used = -(-used // 16) * 16
    return offsets | dict.fromkeys(dynamic, used), used


def _variables(lines: list[str]) -> tuple[dict[str, int], int]:
    """The same of variables in global memory that belong to the kernel; they are 0 at first."""
    return _offsets(r"\.common \.global", lines)


def _offsets(space: str, lines: list[str]) -> tuple[dict[str, int], int]:
    offsets = {}
    used = 0
    for line in lines:
        if match := re.search(space + r" \.align (\d+) \.(\w+) ([\w$]+)(?:\[(\d+)\])?;", line):
            alignment = int(match[1])
            used = -(-used // alignment) * alignment
            offsets[match[3]] = used
            used += _bytes(match[2]) * int(match[4] or 1)
    return offsets, used


def _constants(lines: list[str]) -> dict[str, str]:
    """Constant tables of the mathematical library as C definitions, by name."""
    pattern = r"\.global \.align (\d+) \.b8 (\w+)\[(\d+)\] = (\{.*\});"
    matches = (match for line in lines if (match := re.match(pattern, line)))
    return {
        m[
            2
        ]: f"static const unsigned char {m[2]}[{m[3]}] __attribute__((aligned({m[1]}))) = {m[4]};"
        for m in matches
    }


class _Body:
    """Translates the instructions of a kernel. Results: `declarations` and `statements`, lines of
    C.
    """

    def __init__(
        self,
        parameters: dict[str, str],
        shared: dict[str, int],
        variables: dict[str, int],
        constants: list[str],
    ) -> None:
        self._parameters = parameters
        self._shared = shared
        self._global = variables
        self._depot = "NULL, 0"
        self._constants = constants
        self._labels: set[str] = set()
        self.blocks_meet = False  # whether one may see what another has stored
        self.declarations: list[str] = []
        self.statements: list[str] = []

    def translate(self, lines: list[str], index: int) -> None:
        depth = 1
        while depth:
            number = index + 1
            line = lines[index].split("//")[0].strip()
            index += 1
            if line in ("{", "}"):
                depth += 1 if line == "{" else -1
                if depth:
                    self.statements.append(line)
            elif line.startswith("."):
                self._declare(line, outside=depth == 1)
            elif label := re.fullmatch(r"(\$?\w+):", line):
                self._labels.add(label[1])
                self.statements.append(f"{_variable(label[1])}: ;")
            elif line:
                while not line.endswith(";"):
                    line += " " + lines[index].split("//")[0].strip()
                    index += 1
                self.statements.append(self._statement(line.rstrip("; "), number))

    def _declare(self, line: str, outside: bool) -> None:
        if match := re.match(r"\.local \.align (\d+) \.b8\s+(\w+)\[(\d+)\];", line):
            self._depot = "depot, sizeof depot"
            text = (
                f"char depot[{match[3]}] __attribute__((aligned({match[1]}))); memset(depot, 0xFF, "
                "sizeof depot);"
            )
        elif match := re.match(r"\.reg \.(\w+)\s+(.*);", line):
            names: list[str] = []
            for name in match[2].split(","):
                many = re.match(r"(%\w+)<(\d+)>", name.strip())
                names += [f"{many[1]}{k}" for k in range(int(many[2]))] if many else [name.strip()]
            text = f"{_C[match[1]]} {', '.join(f'{_variable(name)} = 0' for name in names)};"
        else:
            return
        (self.declarations if outside else self.statements).append(text)

    def _statement(self, line: str, number: int) -> str:
        guard = re.match(r"@(!?)(%p\d+)\s+(.*)", line)
        if guard:
            return f"if ({guard[1]}{_variable(guard[2])}) {{ {self._statement(guard[3], number)} }}"
        name, *rest = line.split(maxsplit=1)
        instruction = _Instruction(name.split("."), _operands(rest[0] if rest else ""), number)
        special: Callable[[_Instruction], str] | None = getattr(self, f"_{instruction.name}", None)
        if special is not None:
            return special(instruction)
        return f"{_variable(instruction.operands[0])} = {self._expression(instruction)};"

    def _expression(self, instruction: _Instruction) -> str:
        kind = instruction.type
        if instruction.name in _FLOATING and kind in ("f32", "f64"):
            call = _FLOATING[instruction.name] + ("f" if kind == "f32" else "")
            # exp rounds one addition down; no other rounding mode is used.
            call = "fma_down" if "rm" in instruction.words else call
            return (
                f"{call}({', '.join(self._value(text, kind) for text in instruction.operands[1:])})"
            )
        if instruction.name == "copysign":
            # PTX names the sign first, C the size.
            sign, size = (self._value(text, kind) for text in instruction.operands[1:])
            return f"copysign{'f' if kind == 'f32' else ''}({size}, {sign})"
        if instruction.name in _UNSIGNED:
            kind = kind.replace("s", "u")
        values = [self._value(text, kind) for text in instruction.operands]
        if instruction.name in _PLAIN:
            return f"({_C[kind]})({_PLAIN[instruction.name].format(*values)})"
        raise NotImplementedError(
            f"PTX line {instruction.line}: {'.'.join(instruction.words)} "
            f"{', '.join(instruction.operands)}"
        )

    def _value(self, text: str, kind: str) -> str:
        if text.startswith("0f"):
            return f"float_of(0x{text[2:]}u)"
        if text.startswith("0d"):
            return f"double_of(0x{text[2:]}ull)"
        if text in _SPECIAL:
            return _SPECIAL[text]
        if text in self._shared:
            return f"((uint64_t)here->shared + {self._shared[text]})"
        if text in self._global:
            return f"((uint64_t)variables + {self._global[text]})"
        if text in self._constants:
            return f"((uint64_t){text})"
        if text.startswith("__local_depot"):
            return "((uint64_t)depot)"
        if re.fullmatch(r"-?\d+", text):
            return f"(({_C[kind]}){text}{'ll' if kind.endswith('64') else ''})"
        return f"(({_C[kind]}){_variable(text)})"

    def _address(self, text: str) -> str:
        match = re.fullmatch(r"\[([%$\w]+)(?:\+(-?\d+))?\]", text)
        assert match, text
        return f"{self._value(match[1], 'u64')} + ({match[2] or 0})"

    # -- instructions that are not plain expressions; the methods have their names -----------------

    def _bra(self, instruction: _Instruction) -> str:
        label = instruction.operands[0]
        backward = "if (!--patience) give_way(); " if label in self._labels else ""
        return f"{backward}goto {_variable(label)};"

    def _ret(self, instruction: _Instruction) -> str:
        return "return;"

    def _bar(self, instruction: _Instruction) -> str:
        return f"barrier({instruction.line});"

    def _membar(self, instruction: _Instruction) -> str:
        self.blocks_meet = True
        return "fence();"

    _fence = _membar

    def _call(self, instruction: _Instruction) -> str:
        """Only the argument reduction of sine and cosine for very large angles is not inlined; it
        is never needed.
        """
        return f'fault("a function is called", {instruction.line}, 0); return;'

    def _ld(self, instruction: _Instruction) -> str:
        target, source = instruction.operands
        if instruction.words[1] == "param":
            name = source.strip("[]").split("+")[0]
            if name not in self._parameters:  # the result of a function that is not called
                return ";"
            index = list(self._parameters).index(name)
            return f"{_variable(target)} = *({_C[self._parameters[name]]} *)given[{index}];"
        size = _bytes(instruction.type)
        return self._access(
            instruction, source, target, "{register} = LOAD({c}, at + {offset});", size, 0
        )

    def _st(self, instruction: _Instruction) -> str:
        if instruction.words[1] == "param":
            return ";"
        target, source = instruction.operands
        return self._access(
            instruction,
            target,
            source,
            "STORE({c}, at + {offset}, {value});",
            _bytes(instruction.type),
            1,
        )

    def _access(
        self,
        instruction: _Instruction,
        where: str,
        registers: str,
        each: str,
        size: int,
        writes: int,
    ) -> str:
        names = [name.strip() for name in registers.strip("{} ").split(",")]
        address = self._address(where)
        length = size * len(names)
        spaces = {
            "global": f"in_global({address}, {length}, {writes}, {instruction.line})",
            "shared": f"in_shared({address}, {length}, {writes}, {instruction.line})",
            "local": f"in_local({address}, {length}, {self._depot}, {instruction.line})",
            instruction.name: f"in_any({address}, {length}, {writes}, {self._depot}, "
            f"{instruction.line})",
        }
        checked = next(text for space, text in spaces.items() if space in instruction.words)
        gives_way = ""
        if _STRONG.intersection(instruction.words):
            self.blocks_meet = True
            gives_way = "give_way(); "
        if "nc" in instruction.words:  # a table of constants
            checked = f"(char *)({address})"
        parts = [
            each.format(
                register=_variable(name),
                c=_C[instruction.type],
                offset=index * size,
                value=self._value(name, instruction.type) if writes else "",
            )
            for index, name in enumerate(names)
        ]
        return f"{{ {gives_way}char *at = {checked}; {' '.join(parts)} }}"

    def _atom(self, instruction: _Instruction) -> str:
        target, where, *values = instruction.operands
        self.blocks_meet = True
        at = (
            f"uint32_t *at = (uint32_t *)in_global({self._address(where)}, 4, 0, "
            f"{instruction.line}), before = *at"
        )
        changes = {
            "add.u32": "*at += {0};",
            "cas.b32": "if (*at == {0}) *at = {1};",
            "exch.b32": "*at = {0};",
            "max.s32": "if ((int32_t)*at < (int32_t){0}) *at = {0};",
        }
        change = changes.get(".".join(instruction.words[2:]))
        if instruction.words[1] != "global" or change is None:
            raise NotImplementedError(f"PTX line {instruction.line}: {'.'.join(instruction.words)}")
        changed = change.format(*(self._value(value, "u32") for value in values))
        return (
            f"{{ give_way(); {at}; {changed} {_variable(target)} = before; "
            "changes += *at != before; }"
        )

    def _mov(self, instruction: _Instruction) -> str:
        target, source = instruction.operands
        if target.startswith("{"):
            low, high = (_variable(name.strip()) for name in target.strip("{}").split(","))
            bits = f"bits64({_variable(source)})" if source.startswith("%fd") else _variable(source)
            return (
                f"{{ uint64_t both = {bits}; {low} = (uint32_t)both; {high} = (uint32_t)(both >> "
                f"32); }}"
            )
        if source.startswith("{"):
            low, high = (_variable(name.strip()) for name in source.strip("{}").split(","))
            both = f"((uint64_t)(uint32_t){low} | (uint64_t)(uint32_t){high} << 32)"
            return (
                f"{_variable(target)} = "
                f"{f'double_of({both})' if target.startswith('%fd') else both};"
            )
        moves = {
            ("%f", "%r"): "float_of",
            ("%r", "%f"): "bits32",
            ("%fd", "%rd"): "double_of",
            ("%rd", "%fd"): "bits64",
        }
        kinds = tuple("".join(re.findall(r"^%[a-z]+", name)) for name in (target, source))
        if instruction.type in ("b32", "b64") and kinds in moves:
            return f"{_variable(target)} = {moves[kinds]}({_variable(source)});"
        return f"{_variable(target)} = {self._value(source, instruction.type)};"

    def _cvt(self, instruction: _Instruction) -> str:
        target, source = instruction.words[-2:]
        value = self._value(instruction.operands[1], source)
        if "sat" in instruction.words:
            value = f"saturated({value})"
        elif "rni" in instruction.words:
            value = f"{'rintf' if source == 'f32' else 'rint'}({value})"
        elif "rmi" in instruction.words:
            value = f"floorf({value})"
        return f"{_variable(instruction.operands[0])} = ({_C[target]}){value};"

    def _mul(self, instruction: _Instruction) -> str:
        kind = instruction.type
        if "wide" in instruction.words or "hi" in instruction.words:
            wide = {"s32": "int64_t", "u32": "uint64_t", "s64": "__int128"}[kind]
            shift = f" >> {kind[1:]}" if "hi" in instruction.words else ""
            first, second = (self._value(text, kind) for text in instruction.operands[1:])
            return (
                f"{_variable(instruction.operands[0])} = (({wide}){first} * "
                f"({wide}){second}){shift};"
            )
        kind = kind.replace("s", "u")
        first, second = (self._value(text, kind) for text in instruction.operands[1:])
        return f"{_variable(instruction.operands[0])} = ({_C[kind]})({first} * {second});"

    def _mad(self, instruction: _Instruction) -> str:
        kind = instruction.type.replace("s", "u")
        a, b, c = (self._value(text, kind) for text in instruction.operands[1:])
        return f"{_variable(instruction.operands[0])} = ({_C[kind]})({a} * {b} + {c});"

    def _not(self, instruction: _Instruction) -> str:
        sign = "!" if instruction.type == "pred" else "~"
        return (
            f"{_variable(instruction.operands[0])} = "
            f"{sign}{self._value(instruction.operands[1], instruction.type)};"
        )

    def _shl(self, instruction: _Instruction) -> str:
        return self._shift(instruction, "<<", "0")

    def _shr(self, instruction: _Instruction) -> str:
        sign = (
            f"{self._value(instruction.operands[1], instruction.type)} >> "
            f"{int(instruction.type[1:]) - 1}"
        )
        return self._shift(instruction, ">>", sign if instruction.type[0] == "s" else "0")

    def _shift(self, instruction: _Instruction, way: str, all_out: str) -> str:
        target, value, by = instruction.operands
        shifted = f"{self._value(value, instruction.type)} {way} by"
        return (
            f"{{ uint32_t by = {self._value(by, 'u32')}; "
            f"{_variable(target)} = by < {instruction.type[1:]} ? {shifted} : {all_out}; }}"
        )

    def _min(self, instruction: _Instruction) -> str:
        if instruction.type[0] == "f":
            return f"{_variable(instruction.operands[0])} = {self._expression(instruction)};"
        first, second = (self._value(text, instruction.type) for text in instruction.operands[1:])
        sign = "<" if instruction.name == "min" else ">"
        return (
            f"{_variable(instruction.operands[0])} = {first} {sign} {second} ? {first} : {second};"
        )

    _max = _min

    def _bfi(self, instruction: _Instruction) -> str:
        """The lowest `length` bits of the first put into the second, from bit `at` on."""
        target, first, second, at, length = instruction.operands
        kind = instruction.type.replace("b", "u")
        a = self._value(first, kind)
        b = self._value(second, kind)
        mask = f"(({_C[kind]})-1 >> {int(kind[1:]) - int(length)})"
        return f"{_variable(target)} = ({b} & ~({mask} << {at})) | (({a} & {mask}) << {at});"

    def _clz(self, instruction: _Instruction) -> str:
        value = self._value(instruction.operands[1], "u64")
        return f"{_variable(instruction.operands[0])} = {value} ? __builtin_clzll({value}) : 64;"

    def _selp(self, instruction: _Instruction) -> str:
        target, yes, no, chosen = instruction.operands
        yes = self._value(yes, instruction.type)
        no = self._value(no, instruction.type)
        return f"{_variable(target)} = {_variable(chosen)} ? {yes} : {no};"

    def _setp(self, instruction: _Instruction) -> str:
        values = [self._value(text, instruction.type) for text in instruction.operands[1:]]
        compared = _COMPARE[instruction.words[1]].format("", *values)
        if instruction.words[1] == "ne" and instruction.type[0] == "f":  # false beside NaN
            compared = "({0} < {1} || {0} > {1})".format(*values)
        return f"{_variable(instruction.operands[0])} = {compared};"


def _variable(name: str) -> str:
    return name.replace("%", "").replace("$", "_")


def _bytes(kind: str) -> int:
    return int(kind[1:]) // 8


def _operands(text: str) -> list[str]:
    """Parted at the commas that are in no braces."""
    return [part.strip() for part in re.split(r",(?![^{]*\})", text)]
