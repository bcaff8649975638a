// Steps through a recorded launch of a kernel: threads, elements of arrays, sectors or banks, barriers.
"use strict";

const TRACE = JSON.parse(document.getElementById("data").textContent);
const WARP = 32, SECTOR = 32, BANKS = 32;
const MARKS_HEIGHT = 160, MOST_ROWS = 72, MOST_COLUMNS = 96; // pixels; rows and columns of an array that are shown
const THREADS = TRACE.block.reduce((a, b) => a * b, 1), BLOCKS = TRACE.grid.reduce((a, b) => a * b, 1);
const WARPS = Math.ceil(THREADS / WARP);
const VERBS = { read: "reads", write: "writes", atomic: "changes, atomically," };

for (const event of TRACE.events) {
  const { first, count } = event.lanes;
  if (count) event.lanes = Array.from({ length: count }, (_, k) => first + k);
}

const part = (id) => document.getElementById(id);
const step = part("step"), blockField = part("block"), warpField = part("warp");
const code = [...part("code").children];
let steps = []; // the events in which the chosen block takes part
const colors = {};

function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["panel", "text", "line", "muted", "accent"]) colors[name] = style.getPropertyValue(`--${name}`).trim();
}

/** The color of a lane of the chosen warp. */
const laneColor = (lane) => `hsl(${215 - (lane / (WARP - 1)) * 175} 75% ${isDark() ? 62 : 42}%)`;

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

const block = () => Number(blockField.value), warp = () => Number(warpField.value);
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
      if (array.space === "local" && lane !== block() * THREADS) return;
      values[event.elements[k]] = value === null ? "not a number" : value;
    });
  }
  return values;
}

/** Draw squares. `cells`: colors by row; `tip(row, column)`; `choose(row, column)`: at a click, where there is one. */
function picture(title, cells, cell, tip, choose) {
  const figure = document.createElement("figure"), canvas = document.createElement("canvas");
  const caption = document.createElement("figcaption");
  caption.textContent = title;
  const rows = cells.length, columns = cells[0].length, scale = window.devicePixelRatio || 1;
  canvas.width = (columns * cell + 1) * scale;
  canvas.height = (rows * cell + 1) * scale;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", title);
  figure.append(caption, canvas);
  part("pictures").append(figure); // before its size: the page's policy allows no style attributes, but scripts may set them
  canvas.style.width = `${columns * cell + 1}px`;
  const draw = canvas.getContext("2d");
  draw.scale(scale, scale);
  cells.forEach((row, y) => row.forEach((color, x) => {
    draw.fillStyle = color;
    draw.fillRect(x * cell, y * cell, cell, cell);
  }));
  draw.strokeStyle = colors.line;
  if (cell >= 5) for (let x = 0; x <= columns; x++) draw.strokeRect(x * cell + 0.5, 0.5, 0, rows * cell);
  if (cell >= 5) for (let y = 0; y <= rows; y++) draw.strokeRect(0.5, y * cell + 0.5, columns * cell, 0);
  draw.strokeRect(0.5, 0.5, columns * cell, rows * cell);
  const at = (event) => [Math.min(Math.floor(event.offsetY / cell), rows - 1), Math.min(Math.floor(event.offsetX / cell), columns - 1)];
  canvas.addEventListener("pointermove", (event) => { canvas.title = tip(...at(event)); });
  if (choose) canvas.addEventListener("click", (event) => choose(...at(event)));
}

/** Rows of `columns` items. */
function folded(items, columns) {
  const rows = [];
  for (let first = 0; first < items.length; first += columns) rows.push(items.slice(first, first + columns));
  while (rows.at(-1).length < columns && rows.length > 1) rows.at(-1).push("transparent");
  return rows;
}

const markCell = (rows, columns) => Math.max(Math.min(14, Math.floor(MARKS_HEIGHT / rows), Math.floor(320 / columns)), 3);

function drawMarks(event, threads, pale) {
  const active = new Set(event.lanes.map(blockOf));
  const blocks = Array.from({ length: BLOCKS }, (_, k) => (k === block() ? colors.accent : active.has(k) ? pale : colors.panel));
  const across = TRACE.grid.length > 1 ? TRACE.grid[0] : Math.min(BLOCKS, 16), grid = folded(blocks, across);
  const choose = (field, most) => (number) => { field.value = Math.min(number, most); chooseBlock(); };
  const chooseOne = choose(blockField, BLOCKS - 1);
  picture("Grid", grid, markCell(grid.length, across), (y, x) => `Block ${place(y * across + x, TRACE.grid)}`,
    (y, x) => chooseOne(y * across + x));
  const waits = event.kind === "barrier", here = new Set(threads);
  const states = Array.from({ length: THREADS }, (_, k) =>
    here.has(k) ? (Math.floor(k / WARP) === warp() ? laneColor(k % WARP) : pale) : waits ? "#c0392b" : colors.panel);
  const wide = TRACE.block.length > 1 ? TRACE.block[0] : Math.min(THREADS, WARP), rows = folded(states, wide);
  const chooseWarp = choose(warpField, WARPS - 1);
  picture(waits ? "Threads: they wait" : "Threads of the block", rows, markCell(rows.length, wide), (y, x) => {
    const thread = y * wide + x;
    return `Thread ${place(thread, TRACE.block)}, lane ${thread % WARP} of warp ${Math.floor(thread / WARP)}: ` +
      (here.has(thread) ? (waits ? "waits at the barrier" : "at this line") : waits ? "does not come" : "not at this line");
  }, (y, x) => chooseWarp(Math.floor((y * wide + x) / WARP)));
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
  picture(`Lanes × ${columns.length} ${what}${columns.length === 1 ? "" : "s"}`, cells, 5, (y, x) => `Lane ${y}, ${what} ${columns[x]}`);
}

function drawArray(number, index, threads, elements, pale) {
  const array = TRACE.arrays[number], values = memory(number, index), used = TRACE.events[index].array === number;
  const size = values.length, wide = array.shape.length > 1 ? array.shape.at(-1) : Math.max(Math.min(128 / array.bytes, size), 1);
  const gray = isDark() ? "#4a515d" : "#dcdfe4";
  const cells = Array.from({ length: size }, (_, k) => (values[k] === undefined ? colors.panel : gray)), by = new Map();
  if (used) elements.forEach((element, k) => {
    const own = Math.floor(threads[k] / WARP) === warp();
    if (own || !by.has(element)) cells[element] = own ? laneColor(threads[k] % WARP) : pale;
    by.set(element, threads[k]);
  });
  const rows = folded(cells, wide), first = used && elements.length ? Math.min(...elements) : 0;
  const top = rows.length > MOST_ROWS ? Math.floor(first / wide) : 0, left = wide > MOST_COLUMNS ? first % wide : 0;
  const shown = rows.slice(top, top + MOST_ROWS).map((row) => row.slice(left, left + MOST_COLUMNS));
  const cell = Math.max(Math.min(18, Math.floor(MARKS_HEIGHT / shown.length), Math.floor(560 / shown[0].length)), 2);
  picture(`${used ? "▸ " : ""}${array.name}: ${array.type}[${array.shape.join(", ")}], ${array.space}`, shown, cell, (y, x) => {
    const element = (y + top) * wide + x + left, value = values[element];
    if (element >= size) return "";
    return `${elementName(array, element)} = ${value === undefined ? "not written yet" : value}` +
      (by.has(element) ? `; thread ${place(by.get(element), TRACE.block)}` : "");
  });
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
  step.setAttribute("aria-valuetext", part("where").textContent);
  code.forEach((line, number) => line.classList.toggle("now", number + 1 === event.line));
  drawMarks(event, threads, pale);
  if (array) drawHeat(array, threads, elements);
  const used = new Set(TRACE.events.map((each) => each.array));
  const shown = [...used].filter((each) => each >= 0);
  shown.sort((a, b) => (TRACE.arrays[a].space === "global") - (TRACE.arrays[b].space === "global") || a - b);
  for (const each of shown) drawArray(each, index, threads, elements, pale);
}

/** Show the same moment in another block. */
function chooseBlock() {
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
warpField.max = WARPS - 1;
step.addEventListener("input", show);
part("back").addEventListener("click", () => move(-1));
part("forward").addEventListener("click", () => move(1));
blockField.addEventListener("input", chooseBlock);
warpField.addEventListener("input", show);
document.addEventListener("themechange", show);
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  move(event.key === "ArrowLeft" ? -1 : 1);
});
chooseBlock();
