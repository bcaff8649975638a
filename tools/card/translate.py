"""PTX to C: one function for a kernel, whose shared memory and special registers `runtime.c` provides.

PTX is typed assembly with endless registers: each becomes a variable, each instruction a statement, each label a
label. Arithmetic is what the PTX ISA 8 manual says, `.approx` computed exactly. Only the instructions that our kernels
use are known; another one is a NotImplementedError with its line.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RUNTIME = Path(__file__).with_name("runtime.c")

_C = {
    "u8": "uint8_t", "s8": "int8_t", "b8": "uint8_t", "u16": "uint16_t", "s16": "int16_t", "b16": "uint16_t",
    "u32": "uint32_t", "s32": "int32_t", "b32": "uint32_t", "u64": "uint64_t", "s64": "int64_t", "b64": "uint64_t",
    "f32": "float", "f64": "double", "pred": "int",
}  # fmt: skip

_SPECIAL = {
    f"%{name}.{axis}": f"{name}[{place}]"
    for name in ("tid", "ntid", "ctaid", "nctaid")
    for place, axis in enumerate("xyz")
} | {f"%tid.{axis}": f"now->place[{place}]" for place, axis in enumerate("xyz")}

_COMPARE = {
    "eq": "{1} == {2}", "ne": "{1} != {2}", "lt": "{1} < {2}", "le": "{1} <= {2}", "gt": "{1} > {2}",
    "ge": "{1} >= {2}", "equ": "!({1} < {2} || {1} > {2})", "neu": "!({1} == {2})", "ltu": "!({1} >= {2})",
    "leu": "!({1} > {2})", "gtu": "!({1} <= {2})", "geu": "!({1} < {2})",
    "num": "({1} == {1} && {2} == {2})", "nan": "({1} != {1} || {2} != {2})",
}  # fmt: skip

# Operands are {1}, {2} ... in the instruction's type. Whole numbers are added and multiplied without a sign, since
# in C only those may run over.
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


@dataclass(frozen=True, slots=True)
class Translation:
    """`source`: a C file. `parameters`: the kernel's, as PTX types, in their order."""

    source: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Instruction:
    words: list[str]  # of its name, between the dots; the last is its type
    operands: list[str]
    line: int

    @property
    def name(self) -> str:
        return self.words[0]

    @property
    def type(self) -> str:
        return self.words[-1]


def translate(ptx: str) -> Translation:
    lines = ptx.splitlines()
    begin = next(k for k, line in enumerate(lines) if ".entry" in line)
    end = next(k for k in range(begin, len(lines)) if lines[k].strip() == ")")
    found = re.findall(r"\.param \.(\w+) (\w+)", "\n".join(lines[begin:end]))
    parameters = {name: kind for kind, name in found}
    shared, used = _shared(lines)
    constants = _constants(lines)
    body = _Body(parameters, shared, list(constants))
    body.translate(lines, next(k for k in range(end, len(lines)) if lines[k].strip() == "{") + 1)
    text = RUNTIME.read_text("utf-8")
    kernel = "\n".join(
        [*constants.values(), "static void kernel(void **given) {", *body.declared, *body.done, "}"]
    )
    return Translation(
        f"#define SHARED {used}\n" + text.replace("/* KERNEL */", kernel), tuple(parameters.values())
    )


def _shared(lines: list[str]) -> tuple[dict[str, int], int]:
    """Where each shared array begins, and the bytes of all."""
    places, used = {}, 0
    for line in lines:
        if found := re.search(r"\.shared \.align (\d+) \.b8 (\w+)\[(\d+)\]", line):
            alignment = int(found[1])
            used = -(-used // alignment) * alignment
            places[found[2]] = used
            used += int(found[3])
    return places, used


def _constants(lines: list[str]) -> dict[str, str]:
    """Tables of the mathematical library, as C."""
    pattern = r"\.global \.align (\d+) \.b8 (\w+)\[(\d+)\] = (\{.*\});"
    found = (match for line in lines if (match := re.match(pattern, line)))
    return {
        m[2]: f"static const unsigned char {m[2]}[{m[3]}] __attribute__((aligned({m[1]}))) = {m[4]};"
        for m in found
    }


class _Body:
    """Translates the instructions of one kernel."""

    def __init__(self, parameters: dict[str, str], shared: dict[str, int], constants: list[str]) -> None:
        self._parameters, self._shared, self._constants = parameters, shared, constants
        self.declared: list[str] = []
        self.done: list[str] = []

    def translate(self, lines: list[str], place: int) -> None:
        depth = 1
        while depth:
            number, line = place + 1, lines[place].split("//")[0].strip()
            place += 1
            if line in ("{", "}"):
                depth += 1 if line == "{" else -1
                if depth:
                    self.done.append(line)
            elif line.startswith("."):
                self._declare(line, outside=depth == 1)
            elif label := re.fullmatch(r"(\$?\w+):", line):
                self.done.append(f"{_variable(label[1])}: ;")
            elif line:
                while not line.endswith(";"):
                    line += " " + lines[place].split("//")[0].strip()
                    place += 1
                self.done.append(self._statement(line.rstrip("; "), number))

    def _declare(self, line: str, outside: bool) -> None:
        if found := re.match(r"\.local \.align (\d+) \.b8\s+(\w+)\[(\d+)\];", line):
            text = f"char depot[{found[3]}] __attribute__((aligned({found[1]}))); memset(depot, 0xFF, sizeof depot);"
        elif found := re.match(r"\.reg \.(\w+)\s+(.*);", line):
            names: list[str] = []
            for name in found[2].split(","):
                many = re.match(r"(%\w+)<(\d+)>", name.strip())
                names += [f"{many[1]}{k}" for k in range(int(many[2]))] if many else [name.strip()]
            text = f"{_C[found[1]]} {', '.join(f'{_variable(name)} = 0' for name in names)};"
        else:
            return
        (self.declared if outside else self.done).append(text)

    def _statement(self, line: str, number: int) -> str:
        guard = re.match(r"@(!?)(%p\d+)\s+(.*)", line)
        if guard:
            return f"if ({guard[1]}{_variable(guard[2])}) {{ {self._statement(guard[3], number)} }}"
        name, *rest = line.split(maxsplit=1)
        one = _Instruction(name.split("."), _operands(rest[0] if rest else ""), number)
        special: Callable[[_Instruction], str] | None = getattr(self, f"_{one.name}", None)
        if special is not None:
            return special(one)
        return f"{_variable(one.operands[0])} = {self._expression(one)};"

    def _expression(self, one: _Instruction) -> str:
        kind = one.type
        if one.name in _FLOATING and kind in ("f32", "f64"):
            call = _FLOATING[one.name] + ("f" if kind == "f32" else "")
            # The one other rounding is that of the exponential's magic number.
            call = "fma_down" if "rm" in one.words else call
            return f"{call}({', '.join(self._value(text, kind) for text in one.operands[1:])})"
        if one.name in _UNSIGNED:
            kind = kind.replace("s", "u")
        values = [self._value(text, kind) for text in one.operands]
        if one.name in _PLAIN:
            return f"({_C[kind]})({_PLAIN[one.name].format(*values)})"
        raise NotImplementedError(f"PTX line {one.line}: {'.'.join(one.words)} {', '.join(one.operands)}")

    def _value(self, text: str, kind: str) -> str:
        if text.startswith("0f"):
            return f"float_of(0x{text[2:]}u)"
        if text.startswith("0d"):
            return f"double_of(0x{text[2:]}ull)"
        if text in _SPECIAL:
            return _SPECIAL[text]
        if text in self._shared:
            return f"((uint64_t)shared + {self._shared[text]})"
        if text in self._constants:
            return f"((uint64_t){text})"
        if text.startswith("__local_depot"):
            return "((uint64_t)depot)"
        if re.fullmatch(r"-?\d+", text):
            return f"(({_C[kind]}){text}{'ll' if kind.endswith('64') else ''})"
        return f"(({_C[kind]}){_variable(text)})"

    def _address(self, text: str) -> str:
        found = re.fullmatch(r"\[([%$\w]+)(?:\+(-?\d+))?\]", text)
        assert found, text
        return f"{self._value(found[1], 'u64')} + ({found[2] or 0})"

    # -- instructions that are no plain expression; named after them -----------------------------------------

    def _bra(self, one: _Instruction) -> str:
        return f"goto {_variable(one.operands[0])};"

    def _ret(self, one: _Instruction) -> str:
        return "return;"

    def _bar(self, one: _Instruction) -> str:
        return f"barrier({one.line});"

    def _membar(self, one: _Instruction) -> str:
        return ";"

    _fence = _membar

    def _call(self, one: _Instruction) -> str:
        """What is not inlined is the way of sine and cosine for angles of millions of turns."""
        return f'fault("a function is called", {one.line}, 0); return;'

    def _ld(self, one: _Instruction) -> str:
        target, source = one.operands
        if one.words[1] == "param":
            name = source.strip("[]").split("+")[0]
            if name not in self._parameters:  # what a function that is not called gives back
                return ";"
            place = list(self._parameters).index(name)
            return f"{_variable(target)} = *({_C[self._parameters[name]]} *)given[{place}];"
        size = _bytes(one.type)
        return self._access(one, source, target, "{register} = LOAD({c}, at + {offset});", size, 0)

    def _st(self, one: _Instruction) -> str:
        if one.words[1] == "param":
            return ";"
        target, source = one.operands
        return self._access(one, target, source, "STORE({c}, at + {offset}, {value});", _bytes(one.type), 1)

    def _access(
        self, one: _Instruction, where: str, registers: str, each: str, size: int, writes: int
    ) -> str:
        names = [name.strip() for name in registers.strip("{} ").split(",")]
        address, length = self._address(where), size * len(names)
        checked = {
            "global": f"in_global({address}, {length}, {one.line})",
            "shared": f"in_shared({address}, {length}, {writes}, {one.line})",
            "local": f"in_local({address}, {length}, depot, sizeof depot, {one.line})",
        }[one.words[1]]
        if "nc" in one.words:  # a table of constants
            checked = f"(char *)({address})"
        parts = [
            each.format(
                register=_variable(name), c=_C[one.type], offset=place * size,
                value=self._value(name, one.type) if writes else "",
            )
            for place, name in enumerate(names)
        ]  # fmt: skip
        return f"{{ char *at = {checked}; {' '.join(parts)} }}"

    def _atom(self, one: _Instruction) -> str:
        if one.words[1:] != ["global", "add", "u32"]:
            raise NotImplementedError(f"PTX line {one.line}: {'.'.join(one.words)}")
        target, where, more = one.operands
        at = f"uint32_t *at = (uint32_t *)in_global({self._address(where)}, 4, {one.line})"
        return f"{{ {at}; {_variable(target)} = *at; *at += {self._value(more, 'u32')}; }}"

    def _mov(self, one: _Instruction) -> str:
        target, source = one.operands
        if target.startswith("{"):
            low, high = (_variable(name.strip()) for name in target.strip("{}").split(","))
            bits = f"bits64({_variable(source)})" if source.startswith("%fd") else _variable(source)
            return f"{{ uint64_t both = {bits}; {low} = (uint32_t)both; {high} = (uint32_t)(both >> 32); }}"
        if source.startswith("{"):
            low, high = (_variable(name.strip()) for name in source.strip("{}").split(","))
            both = f"((uint64_t)(uint32_t){low} | (uint64_t)(uint32_t){high} << 32)"
            return f"{_variable(target)} = {f'double_of({both})' if target.startswith('%fd') else both};"
        moves = {
            ("%f", "%r"): "float_of",
            ("%r", "%f"): "bits32",
            ("%fd", "%rd"): "double_of",
            ("%rd", "%fd"): "bits64",
        }
        kinds = tuple("".join(re.findall(r"^%[a-z]+", name)) for name in (target, source))
        if one.type in ("b32", "b64") and kinds in moves:
            return f"{_variable(target)} = {moves[kinds]}({_variable(source)});"
        return f"{_variable(target)} = {self._value(source, one.type)};"

    def _cvt(self, one: _Instruction) -> str:
        target, source = one.words[-2:]
        value = self._value(one.operands[1], source)
        if "sat" in one.words:
            value = f"saturated({value})"
        elif "rni" in one.words:
            value = f"{'rintf' if source == 'f32' else 'rint'}({value})"
        elif "rmi" in one.words:
            value = f"floorf({value})"
        return f"{_variable(one.operands[0])} = ({_C[target]}){value};"

    def _mul(self, one: _Instruction) -> str:
        kind = one.type
        if "wide" in one.words or "hi" in one.words:
            wide = {"s32": "int64_t", "u32": "uint64_t", "s64": "__int128"}[kind]
            shift = f" >> {kind[1:]}" if "hi" in one.words else ""
            first, second = (self._value(text, kind) for text in one.operands[1:])
            return f"{_variable(one.operands[0])} = (({wide}){first} * ({wide}){second}){shift};"
        kind = kind.replace("s", "u")
        first, second = (self._value(text, kind) for text in one.operands[1:])
        return f"{_variable(one.operands[0])} = ({_C[kind]})({first} * {second});"

    def _mad(self, one: _Instruction) -> str:
        kind = one.type.replace("s", "u")
        a, b, c = (self._value(text, kind) for text in one.operands[1:])
        return f"{_variable(one.operands[0])} = ({_C[kind]})({a} * {b} + {c});"

    def _not(self, one: _Instruction) -> str:
        sign = "!" if one.type == "pred" else "~"
        return f"{_variable(one.operands[0])} = {sign}{self._value(one.operands[1], one.type)};"

    def _shl(self, one: _Instruction) -> str:
        return self._shift(one, "<<", "0")

    def _shr(self, one: _Instruction) -> str:
        sign = f"{self._value(one.operands[1], one.type)} >> {int(one.type[1:]) - 1}"
        return self._shift(one, ">>", sign if one.type[0] == "s" else "0")

    def _shift(self, one: _Instruction, way: str, all_out: str) -> str:
        target, value, by = one.operands
        shifted = f"{self._value(value, one.type)} {way} by"
        return (
            f"{{ uint32_t by = {self._value(by, 'u32')}; "
            f"{_variable(target)} = by < {one.type[1:]} ? {shifted} : {all_out}; }}"
        )

    def _min(self, one: _Instruction) -> str:
        if one.type[0] == "f":
            return f"{_variable(one.operands[0])} = {self._expression(one)};"
        first, second = (self._value(text, one.type) for text in one.operands[1:])
        sign = "<" if one.name == "min" else ">"
        return f"{_variable(one.operands[0])} = {first} {sign} {second} ? {first} : {second};"

    _max = _min

    def _bfi(self, one: _Instruction) -> str:
        """The lowest `length` bits of the first put into the second, from bit `at` on."""
        target, first, second, at, length = one.operands
        kind = one.type.replace("b", "u")
        a, b = self._value(first, kind), self._value(second, kind)
        mask = f"(({_C[kind]})-1 >> {int(kind[1:]) - int(length)})"
        return f"{_variable(target)} = ({b} & ~({mask} << {at})) | (({a} & {mask}) << {at});"

    def _clz(self, one: _Instruction) -> str:
        value = self._value(one.operands[1], "u64")
        return f"{_variable(one.operands[0])} = {value} ? __builtin_clzll({value}) : 64;"

    def _selp(self, one: _Instruction) -> str:
        target, yes, no, chosen = one.operands
        yes, no = self._value(yes, one.type), self._value(no, one.type)
        return f"{_variable(target)} = {_variable(chosen)} ? {yes} : {no};"

    def _setp(self, one: _Instruction) -> str:
        values = [self._value(text, one.type) for text in one.operands[1:]]
        compared = _COMPARE[one.words[1]].format("", *values)
        if one.words[1] == "ne" and one.type[0] == "f":  # false beside NaN
            compared = "({0} < {1} || {0} > {1})".format(*values)
        return f"{_variable(one.operands[0])} = {compared};"


def _variable(name: str) -> str:
    return name.replace("%", "").replace("$", "_")


def _bytes(kind: str) -> int:
    return int(kind[1:]) // 8


def _operands(text: str) -> list[str]:
    """Parted at the commas that are in no braces."""
    return [part.strip() for part in re.split(r",(?![^{]*\})", text)]
