// The part of a page that is drawn on: canvas, answer, bars, replay, kept digits. stage.js shows the network.
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const network = new Network(DATA.network);
const detector = DATA.detector && new Network(DATA.detector);
const lines = DATA.line && new LineReader(DATA.line);
const WIDE = 0.5, LONG = 3.5; // of its height: such a stroke may be a number, as in core/reading/reader.py
const KEY_STEP = PAD / 28; // of an arrow key: a pixel of the network's input; a quarter of it with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const INVITATION = DATA.digits ? "Draw a digit." : "Draw something from the list.";

const element = (id) => document.getElementById(id);
const pad = element("pad");
const percent = (p) => (p > 0.9995 && p < 1 ? "> 99.9 %" : `${(100 * p).toFixed(p < 0.995 ? 1 : 2).replace(/\.?0+$/, "")} %`);

/** A new element with a text and classes. */
function make(tag, text = "", classes = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = classes;
  return made;
}

// -- the drawing: strokes are arrays of [x, y] on a canvas of PAD, whatever its size on the screen ---------------

let strokes = []; // replaced, never changed, but for the stroke that is being drawn
let history = []; // what strokes were before each stroke and each clearing
let pointer = null; // the pointer that is drawing: its id, "key", or null
let keyPen = null; // where the keyboard's pen is
let reading = null; // {image, probabilities, rejected, number} of what is drawn; null for too little ink
let frame = 0; // the request to read and show what is drawn

function begin(point, by) {
  history = [...history.slice(-99), strokes];
  strokes = [...strokes, [point]];
  pointer = by;
  update();
}

function extend(point) {
  const stroke = strokes[strokes.length - 1], last = stroke[stroke.length - 1];
  if (last[0] === point[0] && last[1] === point[1]) return; // as the program: a pen that has not moved
  stroke.push(point);
  update();
}

function finish() {
  if (pointer === null) return;
  pointer = null;
  update();
  sayWhenRead = true;
}

function change(next) {
  history = [...history.slice(-99), strokes];
  strokes = next;
  update();
}

function undo() {
  pointer = null;
  if (history.length) strokes = history.pop();
  update();
  sayWhenRead = true;
}

function clear() {
  pointer = null;
  if (strokes.length) change([]);
}

/** Where a pointer is, on a canvas of PAD. */
function place(event) {
  const box = pad.getBoundingClientRect();
  return [((event.clientX - box.left) * PAD) / box.width, ((event.clientY - box.top) * PAD) / box.height];
}

pad.addEventListener("pointerdown", (event) => {
  if (pointer !== null && pointer !== "key") return; // a second finger, or the palm of the hand
  if (event.button > 0) return;
  keyPen = null;
  try {
    pad.setPointerCapture(event.pointerId); // the stroke goes on where it leaves the canvas
  } catch (error) {
    // The pointer is already gone.
  }
  begin(place(event), event.pointerId);
});
pad.addEventListener("pointermove", (event) => {
  if (event.pointerId !== pointer) return;
  const all = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
  for (const each of all.length ? all : [event]) extend(place(each));
});
pad.addEventListener("pointerup", (event) => {
  if (event.pointerId !== pointer) return;
  extend(place(event));
  finish();
});
pad.addEventListener("pointercancel", (event) => {
  if (event.pointerId === pointer) undo();
});

pad.addEventListener("keydown", (event) => {
  const arrow = ARROWS[event.key];
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") undo();
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (arrow) {
    const step = event.shiftKey ? KEY_STEP / 4 : KEY_STEP;
    keyPen = (keyPen || [PAD / 2, PAD / 2]).map((value, k) => Math.min(Math.max(value + arrow[k] * step, 0), PAD));
    if (pointer === "key") extend(keyPen);
    update();
  } else if (event.key === " ") {
    keyPen = keyPen || [PAD / 2, PAD / 2];
    if (pointer === "key") finish();
    else begin(keyPen, "key");
    say(pointer === "key" ? "Pen down." : "Pen up.");
  } else if (event.key === "Delete" || event.key === "Backspace") clear();
  else if (DATA.digits && /^[0-9]$/.test(event.key)) keep(Number(event.key));
  else return;
  event.preventDefault();
});
pad.addEventListener("blur", () => {
  if (pointer === "key") finish();
  keyPen = null;
  update();
});

function paintPad() {
  const side = Math.round(pad.clientWidth * (window.devicePixelRatio || 1));
  if (pad.width !== side) pad.width = pad.height = side; // resizing keeps the strokes, which have no pixels
  const context = pad.getContext("2d"), style = getComputedStyle(pad);
  context.setTransform(side / PAD, 0, 0, side / PAD, 0, 0);
  context.clearRect(0, 0, PAD, PAD);
  context.lineCap = context.lineJoin = "round";
  context.strokeStyle = style.color;
  context.lineWidth = PAD_PEN;
  for (const stroke of strokes) {
    const curve = smooth(stroke);
    context.beginPath();
    context.moveTo(...curve[0]);
    for (const point of curve.length > 1 ? curve.slice(1) : curve) context.lineTo(...point);
    context.stroke();
  }
  if (keyPen) {
    context.strokeStyle = style.outlineColor;
    context.lineWidth = 4;
    context.beginPath();
    context.arc(...keyPen, PAD_PEN / 2, 0, 2 * Math.PI);
    for (const [x, y] of [[1, 0], [0, 1]]) {
      context.moveTo(keyPen[0] - 34 * x, keyPen[1] - 34 * y);
      context.lineTo(keyPen[0] + 34 * x, keyPen[1] + 34 * y);
    }
    context.stroke();
  }
  element("hint").hidden = strokes.length > 0 || keyPen !== null;
}

// -- the answer ----------------------------------------------------------------------------------------------------

let sayWhenRead = false; // the next answer is read aloud: one for each stroke, not for each point

function say(text) {
  element("said").textContent = text;
}

/** What the network reads, as core/reading/reader.py decides it. */
function read() {
  const image = imageOf(strokes, DATA.fillsFrame);
  if (!image) return null;
  const probabilities = network.read(image);
  const rejected = Boolean(detector) && detector.read(image)[1] < DATA.threshold;
  return { image, probabilities, rejected, number: readNumber() };
}

/** What is read where several digits are drawn, as {text, count, probability}; else null. */
function readNumber() {
  if (!lines || !mayBeNumber()) return null;
  const { labels, probability } = lines.read(lineOf(strokes));
  return labels.length < 2 ? null
    : { text: labels.map((label) => DATA.classes[label] ?? "?").join(""), count: labels.length, probability };
}

/** Whether several digits may be drawn: most single strokes are one digit. */
function mayBeNumber() {
  if (strokes.length > 1) return true;
  const [stroke] = strokes, [low, high] = limits(strokes), [width, height] = [0, 1].map((k) => high[k] - low[k]);
  const length = stroke.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - stroke[i][0], y - stroke[i][1]), 0);
  return width > 0 && width >= WIDE * height && length >= LONG * height;
}

/** "no digit", "no idea", "not sure" or "likely". */
function verdict({ probabilities, rejected }) {
  const best = Math.max(...probabilities);
  if (rejected) return "no digit";
  if (best < DATA.noIdea || best - Math.min(...probabilities) < DATA.alike) return "no idea";
  return best >= DATA.likely ? "likely" : "not sure";
}

/** The answer as [large text, sentence]. */
function answerOf(result) {
  if (!result) return ["", strokes.length ? "There is too little ink to read." : INVITATION];
  const { probabilities, number } = result;
  if (number) {
    const doubt = number.probability < DATA.likely ? " – not sure" : "";
    return [number.text, `A number of ${number.count} digits, ${percent(number.probability)}${doubt || " sure"}`];
  }
  const [first, second] = probabilities.map((_, index) => index).sort((a, b) => probabilities[b] - probabilities[a]);
  const [name, other] = [DATA.classes[first], DATA.classes[second]];
  return {
    likely: [name, `${percent(probabilities[first])} sure`],
    "not sure": [name, `${percent(probabilities[first])} – not sure: ${name} or ${other}?`],
    "no idea": ["?", "The network has no idea what this is."],
    "no digit": ["?", `This is no digit. The most similar one is ${name}.`],
  }[verdict(result)];
}

const bars = DATA.classes.map((name) => {
  const row = make("tr"), head = make("th"), label = make("bdi", name), track = make("td", "", "track");
  const bar = make("div", "", "bar"), value = make("td", "", "value");
  head.scope = "row";
  head.append(label);
  track.append(bar);
  row.append(head, track, value);
  element("bars").append(row);
  return { row, bar, value };
});

function showAnswer() {
  const [large, sentence] = answerOf(reading);
  element("large").textContent = large;
  element("large").classList.toggle("long", large.length > 2);
  element("sentence").textContent = sentence;
  element("epochAnswer").textContent = reading ? `Your drawing: ${large === "?" ? "" : `${large}, `}${sentence}` : "";
  const one = reading && !reading.number ? reading.probabilities : null; // the network of the page reads one digit
  const best = one ? Math.max(...one) : 2;
  bars.forEach(({ row, bar, value }, index) => {
    const p = one ? one[index] : 0;
    bar.style.transform = `scaleX(${p})`;
    value.textContent = one ? percent(p) : "";
    row.classList.toggle("best", p === best);
  });
  if (sayWhenRead && pointer === null) {
    say(reading ? `${large}. ${sentence}` : sentence);
    sayWhenRead = false;
  }
}

function show() {
  frame = 0;
  paintPad();
  reading = read();
  showAnswer();
  showStage(reading && reading.number ? null : reading);
}

function update() {
  if (!frame) frame = requestAnimationFrame(show);
}

// -- replay --------------------------------------------------------------------------------------------------------

if (DATA.replay) {
  element("replay").hidden = false;
  const epochs = DATA.replay.epochs, slider = element("epoch"), last = epochs.length;
  let timer = 0;
  slider.max = slider.value = last;
  const showEpoch = () => {
    const index = Number(slider.value), kept = epochs[index];
    if (kept && !kept.parameters) {
      kept.parameters = unpack(network.layers, { ...kept, bits: DATA.replay.bits }, network.trained);
    }
    network.parameters = kept ? kept.parameters : network.trained;
    element("epochText").textContent = kept ? kept.title : DATA.replay.title;
    slider.setAttribute("aria-valuetext", element("epochText").textContent);
    sayWhenRead = true;
    update();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    element("play").textContent = "Play";
  };
  slider.addEventListener("input", () => {
    stop();
    showEpoch();
  });
  element("play").addEventListener("click", () => {
    if (timer) return stop();
    if (Number(slider.value) === last) slider.value = 0;
    element("play").textContent = "Stop";
    showEpoch();
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      showEpoch();
      if (Number(slider.value) === last) stop();
    }, 700);
  });
  showEpoch();
  sayWhenRead = false;
}

// -- drawings to give back -----------------------------------------------------------------------------------------

const kept = []; // {image, label}
let unsaved = false;

function showKept() {
  const text = kept.length === 1 ? "1 drawing is kept" : `${kept.length} drawings are kept`;
  element("count").textContent = kept.length ? `${text}.` : "None is kept yet.";
  element("save").disabled = element("unkeep").disabled = !kept.length;
  for (const button of element("labels").children) {
    const count = kept.filter(({ label }) => String(label) === button.dataset.label).length;
    button.classList.toggle("done", count > 0);
    button.setAttribute("aria-label", `Keep the drawing as ${button.dataset.label}, ${count} kept`);
  }
}

function keep(label) {
  reading = read();
  if (!reading) return say("There is too little ink to keep: draw a digit first.");
  kept.push({ image: reading.image, label });
  unsaved = true;
  clear();
  showKept();
  say(`Kept as ${label}. ${element("count").textContent}`);
}

if (DATA.digits) {
  element("keep").hidden = element("digitKeys").hidden = false;
  for (let label = 0; label < 10; label++) {
    const button = make("button", String(label));
    button.type = "button";
    button.dataset.label = label;
    button.addEventListener("click", () => keep(label));
    element("labels").append(button);
  }
  element("unkeep").addEventListener("click", () => {
    kept.pop();
    showKept();
    say(element("count").textContent);
  });
  element("save").addEventListener("click", () => {
    const link = make("a"), name = element("writer").value;
    link.href = URL.createObjectURL(digitsFile(kept, name));
    link.download = `digits-${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40) || "page"}.npz`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    unsaved = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (unsaved && kept.length) event.preventDefault();
  });
  showKept();
}
