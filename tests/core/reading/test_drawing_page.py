"""Pages to draw on read as the program does, in a real browser, by pointer, finger and keys."""

import json
import os
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.dataset import Dataset
from core.data.formats import class_digits
from core.data.published import PUBLISHED
from core.data.sources import load_dataset
from core.drawing.line import line_of_strokes
from core.drawing.rendering import paint_strokes, render_strokes
from core.drawing.strokes import PenStroke, smooth
from core.errors import InputError
from core.export import ExportSource
from core.export.html_report import HtmlReport
from core.html.page import page
from core.inference.engine import Engine
from core.inference.model_file import bundled_model
from core.labs.web_page import iter_site
from core.network.notation import parse
from core.reading import drawing_page
from core.reading.decoding import likeliest_texts
from core.reading.drawing_page import drawing_part, page_script
from core.reading.line_reader import LineReader
from core.reading.reader import NON_DIGIT_MODEL, THRESHOLD, NonDigitDetector, can_reject, prepare
from core.runs.folder import Label, RunFolder, RunInfo, write_label
from core.runs.plan import RunContext, RunPlan
from core.training.records import Epoch
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device
from tests.core.export.cases import NETWORKS, answers, make_model, some_images
from tests.core.labs.sample import write_sample
from tests.core.labs.test_web_page import DIGITS as DIGITS_LAB
from tests.handwriting import STROKES
from tools import browser
from tools.models import pen_data
from tools.models.strings import pen_strings

PAD = 560
CLOSE = 0.005
DRAW = """
async (drawings) => {
  const box = pad.getBoundingClientRect(), answers = [];
  const send = (kind, [x, y]) => pad.dispatchEvent(new PointerEvent(kind, {
    clientX: box.left + x * box.width, clientY: box.top + y * box.height, pointerId: 1, bubbles: true, isPrimary: true,
  }));
  for (const drawing of drawings) {
    clear();
    for (const stroke of drawing) {
      send("pointerdown", stroke[0]);
      for (const point of stroke.slice(1)) send("pointermove", point);
      send("pointerup", stroke[stroke.length - 1]);
    }
    await new Promise(requestAnimationFrame);
    answers.push({ strokes, ...reading, image: reading && [...reading.image], shown: element("large").textContent });
  }
  return answers;
}
"""
FINDINGS = """
async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
  const found = await axe.run(document, { runOnly: tags });
  return found.violations.map((each) => [each.id, each.nodes.map((node) => node.html)]);
}
"""
TIME = """
async (stroke) => {
  const times = [];
  for (const [x, y] of stroke) {
    const start = performance.now();
    if (pointer === null) begin([560 * x, 560 * y], 1);
    else extend([560 * x, 560 * y]);
    cancelAnimationFrame(frame);
    show();
    element("bars").getBoundingClientRect();
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return times;
}
"""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    if browser.CHROMIUM is None:
        pytest.skip(browser.WHY_NOT)
    with closing(browser.Browser(tmp_path_factory.mktemp("browser"))) as started:
        yield started


@pytest.fixture(scope="module")
def few():
    """Some digits, for which no answer may change: all 10,000 would take seconds."""
    return builtin.draw(10, 400)[1]


def make_page(folder, model, test, name="page.html", run=None):
    data = Dataset("few", "Few", model.kind, model.classes, test, test)
    path = folder / name
    path.write_bytes(HtmlReport().content(ExportSource(model, run, lambda name: data)))
    return path


def pen_drawings(count):
    """Drawings of real pens, evenly from all writers: strokes as fractions of the canvas."""
    path = Path(os.environ.get("DIGITLAB_DATA", "")) / "pen-strokes" / "train.unipen.gz"
    if not path.is_file():
        pytest.skip("DIGITLAB_DATA names no folder with pen-strokes/")
    digits = pen_data.read(path)
    chosen = digits[:: max(len(digits) // count, 1)][:count]
    placement = pen_data.Placement()
    return [
        [stroke.points / pen_data.CANVAS for stroke in placement.positioned(digit.strokes)]
        for digit in chosen
    ]


def program_image(strokes, classes):
    """The image of strokes on a canvas of PAD as the program makes it, uint8 (28, 28)."""
    pens = [PenStroke(np.array(stroke), 40.0) for stroke in strokes]
    if classes == DIGITS:
        return render_strokes(pens, PAD)
    return prepare(paint_strokes(pens, (PAD, PAD)), classes)


def compare(chromium, model, drawings):
    """The largest difference of a probability between page and program; all answers have to be the
    same.
    """
    answers = []
    for start in range(0, len(drawings), 100):
        listed = [
            [stroke.tolist() for stroke in drawing] for drawing in drawings[start : start + 100]
        ]
        answers += chromium.evaluate(f"({DRAW})({json.dumps(listed)})")
    assert chromium.faults == []
    for answer, drawing in zip(answers, drawings, strict=True):
        for drawn, stroke in zip(answer["strokes"], drawing, strict=True):
            # The canvas has whole pixels of the screen; a point that repeats the one before it is
            # left out.
            assert np.abs(np.array(drawn[-1]) - PAD * stroke[-1]).max() < 0.01
    images = np.stack([program_image(answer["strokes"], model.classes) for answer in answers])
    found = np.array([answer["image"] for answer in answers], np.uint8).reshape(images.shape)
    np.testing.assert_array_equal(found, images)
    with closing(Engine(model)) as engine:
        right = engine.predict(images)
    probabilities = np.array([answer["probabilities"] for answer in answers])
    np.testing.assert_array_equal(probabilities.argmax(axis=1), right.argmax(axis=1))
    if can_reject(model):
        with closing(NonDigitDetector()) as detector:
            rejected = detector.rejected(images)
        np.testing.assert_array_equal([answer["rejected"] for answer in answers], rejected)
    return float(np.abs(probabilities - right).max())


def answer_of(chromium):
    """The large text and the sentence that the page shows."""
    return chromium.evaluate("[element('large').textContent, element('sentence').textContent]")


def findings(chromium, path, drawing, **how):
    """What axe-core finds on a page before and after a digit is drawn, with all details open."""
    axe = (Path(find_spec("axe_core_python").origin).parent / "axe.min.js").read_text("utf-8")
    chromium.open(path, **how)
    chromium.evaluate(axe + "; 0")
    chromium.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    found = chromium.evaluate(f"({FINDINGS})()")
    if drawing is not None:
        chromium.draw(drawing)
        found += chromium.evaluate(f"({FINDINGS})()")
    return found


@pytest.mark.skipif(find_spec("axe_core_python") is None, reason="axe_core_python is not installed")
def test_pages_meet_wcag_2_1(chromium, tmp_path, few):
    """The page to draw on, and the pages of labs: light, dark, and on a telephone."""
    run = RunFolder(tmp_path / "run")
    run.begin(RunInfo(RunPlan(RunSettings(network="784-20-10"), "few"), "784-20-10"))
    row = Epoch(1, 10, 1.0, 1.0, 0.5, 0.8, 0.4, 0.9, None, 100.0, 0.1)
    run.add_to_history([row, replace(row, epoch=2, step=20, test_loss=0.3)])
    model = replace(bundled_model(), data="few")
    pages = [(make_page(tmp_path, model, few, run=run), STROKES["3"])]
    labs = tmp_path / "labs"
    write_sample(labs / "points")
    (labs / "digits.md").write_text(DIGITS_LAB.replace("sample.md", "points/lab.md"), "utf-8")
    for _ in iter_site(labs, tmp_path / "site", train=False):
        pass
    pages += [(path, None) for path in sorted((tmp_path / "site").glob("*.html"))]
    assert len(pages) == 4
    for path, drawing in pages:
        for how in ({}, {"dark": True}, {"width": 360, "touch": True}):
            assert findings(chromium, path, drawing, **how) == [], (path.name, how)
    chromium.evaluate("document.querySelector('h1').style.color = '#bbb'")
    assert chromium.evaluate(f"({FINDINGS})()")[0][0] == "color-contrast"


def test_pen_drawings_are_read_as_by_the_program(chromium, tmp_path, few, monkeypatch):
    # With few images, too few bits would change no answer.
    monkeypatch.setattr(drawing_page, "_BITS", (14,))
    drawings, model = pen_drawings(40), bundled_model()
    chromium.open(make_page(tmp_path, model, few))
    assert compare(chromium, model, drawings) < CLOSE


def pen_numbers(count):
    """Numbers of two to four digits of real pens, some of them in one stroke: strokes as fractions
    of the canvas.
    """
    path = Path(os.environ.get("DIGITLAB_DATA", "")) / "pen-strokes" / "train.unipen.gz"
    if not path.is_file():
        pytest.skip("DIGITLAB_DATA names no folder with pen-strokes/")
    digits, rng = pen_data.read(path), np.random.default_rng(0)
    numbers = [
        *pen_strings(digits, rng, count, lengths=(2, 3, 4)),
        *pen_strings(digits, rng, count, lengths=(2,), linked=True),
    ]
    drawings = []
    for number in numbers:
        points = np.concatenate(number.strokes)
        low, high = points.min(axis=0), points.max(axis=0)
        drawings.append([0.1 + 0.8 * (each - low) / (high - low).max() for each in number.strokes])
    return drawings


def test_numbers_are_read_as_by_the_program(chromium, tmp_path, few):
    drawings = pen_numbers(20)
    chromium.open(make_page(tmp_path, bundled_model(), few))
    listed = [[stroke.tolist() for stroke in drawing] for drawing in drawings]
    answers = chromium.evaluate(f"({DRAW})({json.dumps(listed)})")
    assert chromium.faults == []
    reader = LineReader(lambda images: np.ones(len(images)))
    for answer in answers:
        line = line_of_strokes([smooth(np.array(stroke)) for stroke in answer["strokes"]])
        drawn = chromium.evaluate(f"[...lineOf({json.dumps(answer['strokes'])}).pixels]")
        np.testing.assert_array_equal(np.array(drawn), line.pixels.reshape(-1))
        if answer["number"] is None:
            continue
        text, probability = likeliest_texts(reader.columns(line))[0]
        assert answer["number"]["text"] == "".join("0123456789?"[label] for label in text)
        assert answer["number"]["probability"] == pytest.approx(probability, abs=0.05)
    reader.close()
    assert sum(answer["number"] is not None for answer in answers) > 30
    assert answers[0]["shown"] == answers[0]["number"]["text"]


def trained(name):
    """A bundled model, or a network after an epoch on part of the data that it is for; and its test
    split.
    """
    if name in ("mnist", "dense"):
        return bundled_model(name), builtin.draw(0, 10_000)[1]
    source, text = {
        "LeNet with batch normalization": ("mnist", "6C5-BN-MP2-16C5:valid-BN-MP2-120N-84N-10N"),
        "Fashion-MNIST": ("fashion", "16C5-MP2-32C5-MP2-64N-10N"),
    }[name]
    try:
        data = load_dataset(source)
    except InputError:
        pytest.skip(f"{source} is not here")
    settings = RunSettings(network=text, epochs=1, learning_rate=0.002, optimizer="adam")
    part = replace(data, train=data.train.first(12_000))
    with closing(open_device("vectorized")) as device:
        *_, last = iter_training(settings, part, device)
    network = parse(text, data.input_shape, data.outputs)
    return RunContext(RunPlan(settings, source), data, network).model(last.checkpoint), data.test


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["mnist", "dense", "LeNet with batch normalization", "Fashion-MNIST"]
)
def test_a_thousand_pen_drawings(chromium, tmp_path, name, capsys):
    drawings, (model, test) = pen_drawings(1000), trained(name)
    path = make_page(tmp_path, model, test)
    chromium.open(path)
    largest = compare(chromium, model, drawings)
    opened = chromium.evaluate(
        "performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart"
    )
    points = chromium.evaluate(f"({TIME})({json.dumps(STROKES['2'][0])})")
    with capsys.disabled():
        print(
            f"\n{name}: {len(drawings)} drawings, probabilities within {largest:.1e}, "
            f"{path.stat().st_size:,} bytes, ready {opened} ms after opening, point to bars "
            f"{np.median(points):.1f} ms (longest {max(points):.1f})"
        )
    assert largest < CLOSE


def test_every_kind_of_layer_gives_the_program_s_outputs(chromium, tmp_path, few):
    for name in NETWORKS:
        model = replace(make_model(name), rejects=False)
        chromium.open(make_page(tmp_path, model, few))
        images = some_images(5)
        found = chromium.evaluate(
            f"{json.dumps(images.reshape(5, -1).tolist())}.map((image) => network.read(image))"
        )
        np.testing.assert_allclose(found, answers(model, images), atol=CLOSE, err_msg=name)


def test_a_drawing_fills_the_frame_for_clothes(chromium, tmp_path, few):
    model = replace(make_model("convolutions"), classes=PUBLISHED["fashion"].classes)
    chromium.open(make_page(tmp_path, model, few))
    drawings = [[np.array(stroke) for stroke in strokes] for strokes in STROKES.values()]
    assert compare(chromium, model, drawings) < CLOSE
    assert chromium.evaluate("element('keep').hidden")


def test_a_finger_draws_on_a_telephone(chromium, tmp_path, few):
    chromium.open(make_page(tmp_path, bundled_model("dense"), few), 360, 640, touch=True)
    chromium.draw(STROKES["3"], touch=True)
    assert answer_of(chromium)[0] == "3"
    assert chromium.evaluate("element('said').textContent").startswith("3. ")
    # Canvas and answer are seen without scrolling, and nothing is wider than the screen.
    assert chromium.evaluate("scrollY") == 0
    _, top, _, height = chromium.box("#large")
    assert top + height <= 640
    assert chromium.evaluate("scrollY") == 0
    assert chromium.evaluate("document.documentElement.scrollWidth") <= 360
    chromium.call(
        "Emulation.setDeviceMetricsOverride",
        width=640,
        height=360,
        deviceScaleFactor=1,
        mobile=True,
    )
    chromium.settle()
    assert answer_of(chromium)[0] == "3"
    assert chromium.faults == []


def test_a_second_finger_draws_nothing_and_a_canceled_stroke_is_gone(chromium, tmp_path, few):
    chromium.open(make_page(tmp_path, bundled_model("dense"), few))
    send = "pad.dispatchEvent(new PointerEvent('{}', {{pointerId: {}, clientX: {}, clientY: {}}}))"
    for event in (("pointerdown", 1, 200, 200), ("pointerdown", 2, 300, 300), ("pointermove", 2, 310, 320),
                  ("pointermove", 1, 200, 400)):  # fmt: skip
        chromium.evaluate(send.format(*event))
    assert chromium.evaluate("strokes.map((stroke) => stroke.length)") == [2]
    chromium.evaluate(send.format("pointercancel", 1, 200, 400))
    assert chromium.evaluate("strokes.length") == 0
    assert chromium.faults == []


def test_the_keyboard_alone_draws_undoes_and_keeps(chromium, tmp_path, few):
    chromium.open(make_page(tmp_path, bundled_model("dense"), few))
    for _ in range(5):
        if chromium.evaluate("document.activeElement === pad"):
            break
        chromium.keys("Tab")
    up, down = ["ArrowUp"] * 8, ["ArrowDown"] * 16
    chromium.keys(*up, " ", *down, " ")
    assert answer_of(chromium)[0] == "1"
    chromium.keys("z", modifiers=2)
    assert answer_of(chromium) == ["", "Draw a digit."]
    chromium.keys(*["ArrowUp"] * 16, " ", *down, " ", "1")
    assert chromium.evaluate("element('count').textContent") == "1 drawing is kept."
    chromium.keys(" ", *up, " ", "Backspace")
    assert answer_of(chromium)[0] == ""
    assert chromium.faults == []


def test_kept_drawings_are_a_file_of_digits(chromium, tmp_path, few):
    chromium.open(make_page(tmp_path, bundled_model("dense"), few))
    name = "Zoë 名 \u202e"
    images = []
    for digit, strokes in STROKES.items():
        chromium.draw(strokes)
        images.append(chromium.evaluate("[...reading.image]"))
        chromium.click(f"#labels [data-label='{digit}']")
    chromium.evaluate(f"element('writer').value = {json.dumps(name)}")
    chromium.evaluate("URL.createObjectURL = (blob) => { window.saved = blob; return '#'; }")
    chromium.click("#save")
    content = chromium.evaluate("saved.arrayBuffer().then((buffer) => [...new Uint8Array(buffer)])")
    path = tmp_path / "digits.npz"
    path.write_bytes(bytes(content))
    saved = class_digits.read(path)
    np.testing.assert_array_equal(saved.images.reshape(len(images), -1), images)
    assert saved.labels.tolist() == [int(digit) for digit in STROKES]
    assert saved.writers.tolist() == [0] * len(images)
    assert saved.names[0].startswith("Zoë 名")
    both = class_digits.merge([saved, replace(saved, names=("Ben",))])
    class_digits.save(both, tmp_path / "class.npz")
    assert len(class_digits.ClassDigits().load(tmp_path / "class.npz").train) == len(images)


def test_names_change_nothing_but_the_text(chromium, tmp_path, few):
    long, evil = "x" * 255, "</script><script>window.hit = 1</script>\"'>"
    classes = (evil, long, "\u202egnp.exe", "<img src=x onerror=hit()>", *"456789")
    model = replace(make_model("dense"), classes=classes, data=evil)
    run = RunFolder(tmp_path / "run")
    run.begin(RunInfo(RunPlan(RunSettings(network="784-20-10"), evil), "784-20-10"))
    write_label(run.path, Label(evil + "\u202e" + "y" * 9000, "<b>note</b>" + "z" * 9900))
    chromium.open(make_page(tmp_path, model, few, run=run), 360, 640)
    chromium.draw(STROKES["2"])
    assert chromium.faults == []
    assert chromium.evaluate("typeof hit") == "undefined"
    assert chromium.evaluate("document.scripts.length") == 2
    assert chromium.evaluate("document.images.length") == chromium.evaluate(
        "document.querySelectorAll('.images img').length"
    )
    shown = chromium.evaluate(
        "[...document.querySelectorAll('#bars th')].map((cell) => cell.textContent)"
    )
    assert tuple(shown) == classes
    assert chromium.evaluate("document.querySelector('h1').textContent").startswith(evil)
    assert chromium.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_page_forbids_what_is_not_its_own(chromium, tmp_path, few):
    chromium.open(make_page(tmp_path, bundled_model("dense"), few))
    chromium.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.hit "
        "= 1'}))"
    )
    chromium.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert chromium.evaluate("typeof hit") == "undefined"
    assert any("Content Security Policy" in fault for fault in chromium.faults)
    chromium.faults.clear()


def test_the_replay_reads_with_the_parameters_of_each_epoch(chromium, tmp_path, few):
    model = replace(make_model("dense"), rejects=False)
    random = np.random.default_rng(0)
    earlier = [
        (
            epoch,
            (model.parameters + random.normal(0, 0.2 / epoch, model.parameters.shape)).astype(
                np.float32
            ),
        )
        for epoch in (1, 2, 3)
    ]
    part = drawing_part(model, few.inputs, [*earlier, (4, model.parameters)], (), 500_000)
    path = tmp_path / "replay.html"
    path.write_text(page("Replay", [part.html], script=page_script(), data=part.data), "utf-8")
    chromium.open(path)
    images = few.inputs[:50]
    for place, (epoch, parameters) in enumerate([*earlier, (4, model.parameters)]):
        chromium.evaluate(
            f"element('epoch').value = {place}; element('epoch').dispatchEvent(new Event('input'))"
        )
        found = chromium.evaluate(
            f"{json.dumps(images.reshape(50, -1).tolist())}.map((image) => network.read(image))"
        )
        right = answers(replace(model, parameters=parameters), images)
        assert (np.argmax(found, axis=1) == right.argmax(axis=1)).mean() >= 0.8
        text = chromium.evaluate("element('epochText').textContent")
        assert text == ("the finished network" if epoch == 4 else f"after epoch {epoch}")
    assert chromium.faults == []


def test_the_numbers_of_a_page_change_no_answer(few):
    model = bundled_model("dense")
    numbers, parameters, bits = drawing_page._packed(model, few.inputs)
    right, found = (
        answers(model, few.inputs),
        answers(replace(model, parameters=parameters), few.inputs),
    )
    assert 8 <= bits <= 14
    assert len(numbers["packed"]) < len(model.parameters) * bits / 8 * 1.34
    np.testing.assert_array_equal(found.argmax(axis=1), right.argmax(axis=1))
    assert np.abs(found - right).max() <= drawing_page.CLOSE


def rejections_of_a_page(images):
    """Which images the program rejects, and which with the numbers that pages have."""
    model = bundled_model(NON_DIGIT_MODEL)
    _, parameters = drawing_page._numbers(
        model.network, model.parameters, drawing_page.DETECTOR_BITS
    )
    both = model, replace(model, parameters=parameters)
    return [answers(each, images)[:, 1] < THRESHOLD for each in both]


def test_a_page_rejects_the_same_drawings(few):
    right, found = rejections_of_a_page(np.concatenate((few.inputs, some_images(100))))
    np.testing.assert_array_equal(found, right)


@pytest.mark.slow
def test_a_page_rejects_the_same_of_10_000_digits():
    right, found = rejections_of_a_page(builtin.draw(0, 10_000)[1].inputs)
    assert 0 < right.sum() < 1000
    np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("room", [1000, -100_000])
def test_a_replay_without_room_is_said(room):
    model = replace(make_model("dense"), rejects=False)
    part = drawing_part(model, some_images(), [(1, model.parameters + 1)], (), room)
    assert "replay" not in part.data
    assert "There is no replay" in part.notes[-1]


def test_the_page_shows_the_layers_and_their_connections_as_the_stage_does(chromium, tmp_path, few):
    model = replace(make_model("convolutions"), rejects=False)
    chromium.open(make_page(tmp_path, model, few), 1280, 720)
    captions = "[...document.querySelectorAll('#stage figcaption')].map((each) => each.textContent)"
    assert chromium.evaluate(captions)[0] == "It sees"
    pixels = "wires.getContext('2d').getImageData(0, 0, wires.width, wires.height).data"
    drawn = f"{pixels}.some(Boolean)"
    wires = "const wires = element('wires');"
    assert not chromium.evaluate(f"(() => {{ {wires} return {drawn}; }})()")
    chromium.draw(STROKES["3"])
    chromium.wait(f"(() => {{ {wires} return {drawn}; }})()")
    shown = "columns.map((column) => column.shown.length)"
    hidden = [shape[-1] for shape in model.network.shapes[1:-1]]
    assert max(chromium.evaluate(shown)) <= 64
    assert len(chromium.evaluate(shown)) <= len(hidden)
    # From left to right; on a telephone from top to bottom, and not wider than its screen.
    lefts = "columns.map((column) => column.canvas.getBoundingClientRect().left)"
    assert chromium.evaluate(lefts) == sorted(chromium.evaluate(lefts))
    chromium.open(make_page(tmp_path, model, few), 360, 640, touch=True)
    tops = "columns.map((column) => column.canvas.getBoundingClientRect().top)"
    assert chromium.evaluate(tops) == sorted(chromium.evaluate(tops))
    assert chromium.evaluate("document.documentElement.scrollWidth") <= 360
    assert chromium.faults == []
