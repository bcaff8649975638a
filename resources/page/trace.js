// Steps through a recorded launch of a kernel: threads, elements of arrays, sectors or banks, barriers.
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
let TRACE = DATA; // or DATA.other: the same launch in another order of its threads
const WARP = 32, SECTOR = 32, BANKS = 32;
const MARKS_HEIGHT = 160, MOST_ROWS = 72, MOST_COLUMNS = 96; // pixels; rows and columns of an array that are shown
const MOST_NUMBERS = 64; // elements of an array whose numbers are shown
const THREADS = TRACE.block.reduce((a, b) => a * b, 1), BLOCKS = TRACE.grid.reduce((a, b) => a * b, 1);
const VERBS = { read: "reads", write: "writes", atomic: "changes, atomically," };

const lanesOf = (lanes) => (lanes.count ? Array.from({ length: lanes.count }, (_, k) => lanes.first + k) : lanes);
for (const trace of [DATA, DATA.other]) for (const event of trace ? trace.events : []) event.lanes = lanesOf(event.lanes);

const part = (id) => document.getElementById(id);
const step = part("step"), blockField = part("block"), threadField = part("thread");
const code = [...part("code").children];
let steps = []; // the events in which the chosen block takes part
const colors = {};

function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["panel", "text", "line", "muted", "accent"]) colors[name] = style.getPropertyValue(`--${name}`).trim();
  colors.bad = isDark() ? "#ff9a90" : "#b3261e";
}

/** The color of a lane of the chosen warp. */
const laneColor = (lane) => `hsl(${215 - (lane / (WARP - 1)) * 175} 75% ${isDark() ? 62 : 42}%)`;

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

const block = () => Number(blockField.value), thread = () => Number(threadField.value);
const warp = () => Math.floor(thread() / WARP), lane = () => block() * THREADS + thread();
const inside = (field) => { field.value = Math.min(Math.max(Math.floor(Number(field.value)) || 0, 0), Number(field.max)); };
const blockOf = (lane) => Math.floor(lane / THREADS);

/** The index of a thread, block or element with several dimensions; x first for threads and blocks. */
function place(number, sizes) {
  const found = sizes.map((size) => { const index = number % size; number = Math.floor(number / size); return index; });
  return found.length === 1 ? `${found[0]}` : `(${found.join(", ")})`;
}
const elementName = (array, element) =>
  `${array.name}[${place(element, [...array.shape].reverse()).replace(/[()]/g, "").split(", ").reverse().join(", ")}]`;

/** The values of an array after an event, undefined where none is known. */
function memory(number, last) {
  const array = TRACE.arrays[number], size = array.shape.reduce((a, b) => a * b, 1);
  const values = array.start ? array.start.map((value) => (value === null ? undefined : value)) : new Array(size);
  for (let index = 0; index <= last; index++) {
    const event = TRACE.events[index];
    if (event.array !== number) continue;
    event.values.forEach((value, k) => {
      const lane = event.lanes[k];
      if (array.space === "shared" && blockOf(lane) !== block()) return;
      if (array.space === "local" && lane !== block() * THREADS + thread()) return;
      values[event.elements[k]] = value === null ? "not a number" : value;
    });
  }
  return values;
}

/** Draw cells. `cells`: colors by row; `size`: of a cell, [width, height]; `tip(row, column)`; `choose(row, column)`: at
 * a click, where there is one; `marked`: "row,column" of a race; `texts(row, column)`: in the cells. */
function picture(title, cells, [wide, high], tip, { choose, marked = [], texts } = {}) {
  const figure = document.createElement("figure"), canvas = document.createElement("canvas");
  const caption = document.createElement("figcaption");
  caption.textContent = title;
  const rows = cells.length, columns = cells[0].length, scale = window.devicePixelRatio || 1;
  const width = columns * wide, height = rows * high;
  canvas.width = (width + 3) * scale;
  canvas.height = (height + 3) * scale;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", title);
  figure.append(caption, canvas);
  part("pictures").append(figure); // before its size: the page's policy allows no style attributes, but scripts may set them
  canvas.style.width = `${width + 3}px`;
  const draw = canvas.getContext("2d");
  draw.scale(scale, scale);
  draw.translate(1, 1); // the frames of a race stand out
  draw.font = "12px system-ui, sans-serif";
  draw.textAlign = "center";
  draw.textBaseline = "middle";
  cells.forEach((row, y) => row.forEach((color, x) => {
    draw.fillStyle = color;
    draw.fillRect(x * wide, y * high, wide, high);
    const text = texts && texts(y, x);
    if (!text) return;
    draw.fillStyle = textColor(color);
    draw.fillText(text, (x + 0.5) * wide, (y + 0.55) * high);
  }));
  draw.strokeStyle = colors.line;
  if (wide >= 5) for (let x = 0; x <= columns; x++) draw.strokeRect(x * wide + 0.5, 0.5, 0, height);
  if (high >= 5) for (let y = 0; y <= rows; y++) draw.strokeRect(0.5, y * high + 0.5, width, 0);
  draw.strokeRect(0.5, 0.5, width, height);
  for (const [color, line] of [[colors.panel, 5], [colors.bad, 3]]) for (const place of marked) {
    const [y, x] = place.split(",").map(Number);
    draw.strokeStyle = color;
    draw.lineWidth = line;
    draw.strokeRect(x * wide + 0.5, y * high + 0.5, wide, high);
  }
  const at = (event) => [Math.min(Math.floor(event.offsetY / high), rows - 1), Math.min(Math.floor(event.offsetX / wide), columns - 1)];
  canvas.addEventListener("pointermove", (event) => { canvas.title = tip(...at(event)); });
  if (choose) canvas.addEventListener("click", (event) => choose(...at(event)));
}

/** Black or white, whichever is read better on the color. */
function textColor(color) {
  const draw = document.createElement("canvas").getContext("2d");
  draw.fillStyle = color;
  draw.fillRect(0, 0, 1, 1);
  const [red, green, blue] = draw.getImageData(0, 0, 1, 1).data;
  return red * 0.3 + green * 0.59 + blue * 0.11 > 140 ? "#000" : "#fff";
}

/** Rows of `columns` items. */
function folded(items, columns) {
  const rows = [];
  for (let first = 0; first < items.length; first += columns) rows.push(items.slice(first, first + columns));
  while (rows.at(-1).length < columns && rows.length > 1) rows.at(-1).push("transparent");
  return rows;
}

const square = (side) => [side, side];
const markCell = (rows, columns) => square(Math.max(Math.min(14, Math.floor(MARKS_HEIGHT / rows), Math.floor(320 / columns)), 3));
const conflictsAt = (index) => TRACE.conflicts.filter((each) => each.events.includes(index));
/** The array, the element and both threads of each race of the event: at all its elements. */
const racesAt = (index) => conflictsAt(index).flatMap(({ array, pairs }) =>
  pairs.map(([element, ...lanes]) => ({ array, element, lanes })));

function drawMarks(index, threads, pale) {
  const event = TRACE.events[index];
  const active = new Set(event.lanes.map(blockOf));
  const blocks = Array.from({ length: BLOCKS }, (_, k) => (k === block() ? colors.accent : active.has(k) ? pale : colors.panel));
  const across = TRACE.grid.length > 1 ? TRACE.grid[0] : Math.min(BLOCKS, 16), grid = folded(blocks, across);
  const chooseOne = (number) => { blockField.value = Math.min(number, BLOCKS - 1); chooseBlock(); };
  picture("Grid", grid, markCell(grid.length, across), (y, x) => `Block ${place(y * across + x, TRACE.grid)}`,
    { choose: (y, x) => chooseOne(y * across + x) });
  const waits = event.kind === "barrier", here = new Set(threads);
  const states = Array.from({ length: THREADS }, (_, k) =>
    here.has(k) ? (Math.floor(k / WARP) === warp() ? laneColor(k % WARP) : pale) : waits ? "#c0392b" : colors.panel);
  const wide = TRACE.block.length > 1 ? TRACE.block[0] : Math.min(THREADS, WARP), rows = folded(states, wide);
  const chooseThread = (number) => { threadField.value = Math.min(number, THREADS - 1); show(); };
  const racing = racesAt(index).flatMap((each) => each.lanes).filter((each) => blockOf(each) === block());
  const marked = racing.map((each) => `${Math.floor((each % THREADS) / wide)},${(each % THREADS) % wide}`);
  picture(waits ? "Threads: they wait" : "Threads of the block", rows, markCell(rows.length, wide), (y, x) => {
    const thread = y * wide + x;
    return `Thread ${place(thread, TRACE.block)}, lane ${thread % WARP} of warp ${Math.floor(thread / WARP)}: ` +
      (here.has(thread) ? (waits ? "waits at the barrier" : "at this line") : waits ? "does not come" : "not at this line");
  }, { choose: (y, x) => chooseThread(y * wide + x), marked });
}

function drawHeat(array, threads, elements) {
  const lanes = threads.map((thread, k) => [thread, elements[k]]).filter(([thread]) => Math.floor(thread / WARP) === warp());
  if (!lanes.length || array.space === "local") return;
  const isGlobal = array.space === "global";
  const of = (element) => (isGlobal ? Math.floor((element * array.bytes) / SECTOR) : Math.floor((element * array.bytes) / 4) % BANKS);
  const columns = isGlobal ? [...new Set(lanes.map(([, element]) => of(element)))].sort((a, b) => a - b) : [...Array(BANKS).keys()];
  const cells = Array.from({ length: WARP }, () => columns.map(() => colors.panel));
  for (const [thread, element] of lanes) cells[thread % WARP][columns.indexOf(of(element))] = laneColor(thread % WARP);
  const what = isGlobal ? "sector" : "bank";
  picture(`Lanes × ${columns.length} ${what}${columns.length === 1 ? "" : "s"}`, cells, square(5), (y, x) => `Lane ${y}, ${what} ${columns[x]}`);
}

function drawArray(number, index, threads, elements, pale) {
  const array = TRACE.arrays[number], values = memory(number, index), used = TRACE.events[index].array === number;
  const size = values.length, short = Math.min(32 / array.bytes, 16);
  const long = size <= MOST_NUMBERS ? short : 128 / array.bytes;
  const wide = array.shape.length > 1 ? array.shape.at(-1) : Math.max(Math.min(long, size), 1);
  const gray = isDark() ? "#4a515d" : "#dcdfe4";
  const cells = Array.from({ length: size }, (_, k) => (values[k] === undefined ? colors.panel : gray)), by = new Map();
  if (used) elements.forEach((element, k) => {
    if (array.space === "local" && threads[k] !== thread()) return;
    const own = Math.floor(threads[k] / WARP) === warp();
    if (own || !by.has(element)) cells[element] = own ? laneColor(threads[k] % WARP) : pale;
    by.set(element, threads[k]);
  });
  const rows = folded(cells, wide), first = used && elements.length ? Math.min(...elements) : 0;
  const top = rows.length > MOST_ROWS ? Math.floor(first / wide) : 0, left = wide > MOST_COLUMNS ? first % wide : 0;
  const shown = rows.slice(top, top + MOST_ROWS).map((row) => row.slice(left, left + MOST_COLUMNS));
  let cell = square(Math.max(Math.min(18, Math.floor(MARKS_HEIGHT / shown.length), Math.floor(560 / shown[0].length)), 2));
  const text = (y, x) => {
    const value = values[(y + top) * wide + x + left];
    return value === undefined ? "" : typeof value === "number" ? `${Number(value.toPrecision(2))}` : "nan";
  };
  const hasNumbers = size <= MOST_NUMBERS && shown[0].length <= 16;
  if (hasNumbers) {
    const longest = Math.max(...shown.flatMap((row, y) => row.map((_, x) => text(y, x).length)));
    cell = [Math.max(longest * 7 + 6, 16), 17];
  }
  const marked = racesAt(index)
    .filter((each) => each.array === number && (array.space === "global" || each.lanes.some((one) => blockOf(one) === block())))
    .map((each) => [Math.floor(each.element / wide) - top, (each.element % wide) - left])
    .filter(([y, x]) => y >= 0 && y < shown.length && x >= 0 && x < shown[0].length).map(String);
  const space = array.space === "local" ? "local, of this thread" : array.space;
  picture(`${used ? "▸ " : ""}${array.name}: ${array.type}[${array.shape.join(", ")}], ${space}`, shown, cell, (y, x) => {
    const element = (y + top) * wide + x + left, value = values[element];
    if (element >= size) return "";
    return `${elementName(array, element)} = ${value === undefined ? "not written yet" : value}` +
      (by.has(element) ? `; thread ${place(by.get(element), TRACE.block)}` : "");
  }, { marked, texts: hasNumbers ? text : undefined });
}

/** The last value that the chosen thread has given to a variable up to an event: [event, value], or undefined. */
function lastValue(variable, last) {
  let found;
  for (const [at, lanes, values] of variable.rows) {
    if (at > last) break;
    const all = lanesOf(lanes);
    for (let k = all.length - 1; k >= 0; k--) if (all[k] === lane()) {
      found = [at, Array.isArray(values) ? values[k] : values];
      break;
    }
  }
  return found;
}

/** The variables of the chosen thread: [name, type, value, whether the latest step has changed it]. */
function variablesAt(index, before) {
  const line = TRACE.events[index].line, found = new Map(), called = {};
  for (const variable of TRACE.variables) {
    const [first, end] = TRACE.functions[variable.function] || [0, 0];
    if (variable.function && (line < first || line > end)) continue;
    const now = lastValue(variable, index);
    if (!now) continue;
    if (!variable.name) called[variable.function] = now[0];
    const key = variable.function ? `${variable.function}: ${variable.name}` : variable.name;
    if (!variable.name || (found.has(key) && found.get(key).at > now[0])) continue;
    const old = lastValue(variable, before);
    const isNew = now[0] > before && (!old || old[1] !== now[1]);
    found.set(key, { at: now[0], function: variable.function, row: [key, variable.type, now[1], isNew] });
  }
  return [...found.values()].filter((each) => each.at >= (called[each.function] || 0)).map((each) => each.row);
}

function showVariables(index) {
  const before = Number(step.value) ? steps[Number(step.value) - 1] : -1, parts = [];
  const name = document.createElement("b");
  name.textContent = `Thread ${place(thread(), TRACE.block)}: `;
  for (const [title, type, value, isNew] of variablesAt(index, before)) {
    const shown = document.createElement("span");
    shown.className = isNew ? "variable new" : "variable";
    shown.textContent = `${isNew ? "● " : ""}${title} = ${value === null ? "not a number" : value} `;
    const kind = document.createElement("span");
    kind.className = "muted";
    kind.textContent = type;
    shown.append(kind);
    parts.push(shown, " ");
  }
  part("variables").replaceChildren(name, ...(parts.length ? parts : ["no variables yet"]));
}

/** Show a text, or hide its part where there is none. */
function say(id, text) {
  part(id).textContent = text || "";
  part(id).hidden = !text;
}

function show() {
  readColors();
  const index = steps[Number(step.value)], event = TRACE.events[index];
  part("pictures").replaceChildren();
  if (!event) return;
  const mine = event.lanes.map((lane, k) => [lane, event.elements[k]]).filter(([lane]) => blockOf(lane) === block());
  const threads = mine.map(([lane]) => lane % THREADS), elements = event.array < 0 ? [] : mine.map(([, element]) => element);
  const array = TRACE.arrays[event.array], pale = isDark() ? "#31506e" : "#a9c8ea";
  const does = array ? `${VERBS[event.kind]} ${array.name}` : event.kind === "barrier" ? "waits" : "takes a branch";
  part("where").textContent = `Step ${Number(step.value) + 1} of ${steps.length}: line ${event.line} ${does}`;
  const said = TRACE.said[index][`${block()},${warp()}`];
  part("notice").textContent = said === undefined ? "No thread of this warp is at this line now." : TRACE.sentences[said];
  const race = conflictsAt(index)[0];
  say("conflict", race && race.said[race.events.indexOf(index)]);
  say("result", TRACE.result);
  showVariables(index);
  step.setAttribute("aria-valuetext", part("where").textContent);
  code.forEach((line, number) => line.classList.toggle("now", number + 1 === event.line));
  drawMarks(index, threads, pale);
  if (array) drawHeat(array, threads, elements);
  const used = new Set(TRACE.events.map((each) => each.array));
  const shown = [...used].filter((each) => each >= 0);
  shown.sort((a, b) => (TRACE.arrays[a].space === "global") - (TRACE.arrays[b].space === "global") || a - b);
  for (const each of shown) drawArray(each, index, threads, elements, pale);
}

/** Show the step of the first or second thread of the race. */
function goTo(conflict, which) {
  blockField.value = blockOf(conflict.lanes[which]);
  threadField.value = conflict.lanes[which] % THREADS;
  chooseBlock();
  step.value = steps.indexOf(conflict.events[which]);
  show();
}
const firstRace = () => TRACE.conflicts.find((each) => each.kind !== "same-value");

function goToRace() {
  const race = firstRace();
  if (race) goTo(race, steps[Number(step.value)] === race.events[0] && lane() === race.lanes[0] ? 1 : 0);
}

/** Change between the launch as it was checked and the other order of its threads. */
function turnOrder() {
  TRACE = TRACE === DATA ? DATA.other : DATA;
  part("other").setAttribute("aria-pressed", String(TRACE !== DATA));
  part("other").textContent = TRACE === DATA ? "The other order" : "Back to the first order";
  goTo(firstRace(), TRACE === DATA ? 1 : 0);
}

/** Show the same moment in another block. */
function chooseBlock() {
  inside(blockField);
  const now = steps[Number(step.value)] || 0;
  steps = [...TRACE.events.keys()].filter((k) => TRACE.events[k].lanes.some((lane) => blockOf(lane) === block()));
  step.max = Math.max(steps.length - 1, 0);
  const next = steps.findIndex((k) => k >= now);
  step.value = next < 0 ? step.max : next;
  show();
}

function move(by) {
  step.value = Number(step.value) + by;
  show();
}

blockField.max = BLOCKS - 1;
threadField.max = THREADS - 1;
part("race").hidden = !firstRace();
part("other").hidden = !DATA.other || !firstRace();
part("race").addEventListener("click", goToRace);
part("other").addEventListener("click", turnOrder);
step.addEventListener("input", show);
part("back").addEventListener("click", () => move(-1));
part("forward").addEventListener("click", () => move(1));
blockField.addEventListener("input", chooseBlock);
threadField.addEventListener("input", () => { inside(threadField); show(); });
document.addEventListener("themechange", show);
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  move(event.key === "ArrowLeft" ? -1 : 1);
});
chooseBlock();
