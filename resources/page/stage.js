// The network of a page as the window's stage shows it: what it sees, its layers, the strongest connections, the answers.
"use strict";

const MAX_UNITS = 64, MAX_MAPS = 16, MAX_WIRES = 32;
const STRONG = 0.5, TO_ANSWER = 0.45; // as in gui/stage/wires.py and core/inspection/stage_content.py
const WEIGHTED = ["dense", "convolution"];
const isWide = matchMedia("(min-width: 56rem)"); // from left to right; on telephones from top to bottom

/** Red, green and blue, 0 to 255, of a color of the style, which follows the reader's theme. */
function colorOf(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

const blend = (from, to, share) => from.map((value, k) => value + (to[k] - value) * share);

/** The color of an output or weight as a share of the largest: as the window's, orange below 0, blue and then deep above. */
function shade(share, { paper, positive, negative, deep }, isWeight, full) {
  const strength = isWeight ? Math.abs(share) : Math.abs(share) ** 0.7;
  if (share < 0) return blend(paper, negative, strength);
  if (isWeight || strength <= full) return blend(paper, positive, isWeight ? strength : strength / full);
  return blend(positive, deep, (strength - full) / (1 - full));
}

const stageColors = () => Object.fromEntries(["paper", "positive", "negative", "deep"].map((name) => [name, colorOf(`--${name}`)]));

/** Paints a canvas of width x height pixels; `color` gives red, green and blue of a pixel, or null for none. */
function paintPixels(canvas, width, height, color) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d"), pixels = context.createImageData(width, height), { data } = pixels;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const found = color(x, y);
      if (found) [data[at], data[at + 1], data[at + 2], data[at + 3]] = [...found, 255];
    }
  }
  context.putImageData(pixels, 0, 0);
}

/** How wide the maps of a pooling layer are, in words. */
function poolingWords(before, after) {
  const times = Math.round(before / after);
  return { 1: "as large", 2: "half", 3: "a third", 4: "a quarter" }[times] || `1/${times} as wide`;
}

/** A layer that changes no shape, dropout or normalization: a thin bar with its name. */
function thinBar(layer) {
  const figure = make("figure", "", "thin");
  figure.append(make("figcaption", layer.kind === "normalization" ? "normalization" : "dropout"), make("div"));
  return figure;
}

/** A hidden layer as a column of maps or units. `shown`: those that are seen, chosen once a stroke. */
class Column {
  constructor(layer, index) {
    this.layer = layer;
    this.index = index;
    this.isMap = layer.shape.length === 3;
    [this.rows, this.columns, this.count] = this.isMap ? layer.shape : [1, 1, layer.shape[0]];
    this.shown = Array.from({ length: Math.min(this.count, this.isMap ? MAX_MAPS : MAX_UNITS) }, (_, k) => k);
    this.caption = make("figcaption", "", WEIGHTED.includes(layer.kind) ? "main" : "");
    this.canvas = make("canvas");
    this.canvas.setAttribute("role", "img");
    this.figure = make("figure");
    this.figure.append(this.caption, this.canvas);
  }

  place() {
    const long = this.isMap ? 8 : 16, count = this.shown.length;
    const lines = Math.ceil(count / long);
    [this.across, this.down] = isWide.matches ? [lines, Math.min(count, long)] : [Math.min(count, long), lines];
    // The smaller maps of pooling lie on the lines of those before them.
    this.gap = this.isMap ? (WEIGHTED.includes(this.layer.kind) ? 2 : Math.round(this.columns / 2)) : 0;
    const tile = this.isMap ? 2.1 : 1;
    this.canvas.style.width = `${this.across * tile}rem`;
    this.canvas.style.aspectRatio = `${this.across} / ${this.down}`;
    const some = count < this.count ? `${count} of ${this.count}` : this.count;
    const name = this.layer.kind === "convolution" ? "filters" : "units";
    this.caption.textContent = WEIGHTED.includes(this.layer.kind) ? `${some} ${name}` : this.isMap ? poolingWords(network.shapes[this.index][1], this.columns) : "";
    this.canvas.setAttribute("aria-label", `Outputs of ${this.layer.title}: ${some}`);
  }

  /** The place of a map or unit in the grid: [column, row]. */
  at(position) {
    if (!this.isMap) return [position % this.across, Math.floor(position / this.across)];
    return isWide.matches ? [Math.floor(position / this.down), position % this.down]
      : [position % this.across, Math.floor(position / this.across)];
  }

  /** The value of a pixel of a map, or of a unit: an output, or without a drawing a weight of a filter. */
  valueOf(hasInput, unit, y, x) {
    if (hasInput) return network.outputs[this.index][(y * this.columns + x) * this.count + unit];
    if (this.layer.kind !== "convolution") return 0;
    const [tall, wide] = this.layer.size, channels = network.shapes[this.index][2];
    const row = Math.floor((y * tall) / this.rows), column = Math.floor((x * wide) / this.columns);
    return network.parameters[this.index].weights[((row * wide + column) * channels) * this.count + unit];
  }

  paint(hasInput, colors) {
    const side = this.isMap ? 1 : 8, line = side > 1 ? 1 : 0; // a unit is a cell of 8 pixels with a gap of one
    const height = this.rows * side + this.gap, width = this.columns * side + this.gap;
    const grid = new Map(this.shown.map((unit, position) => [String(this.at(position)), unit]));
    let largest = 0;
    for (const unit of this.shown) {
      for (let y = 0; y < this.rows; y++) {
        for (let x = 0; x < this.columns; x++) largest = Math.max(largest, Math.abs(this.valueOf(hasInput, unit, y, x)));
      }
    }
    paintPixels(this.canvas, this.across * width, this.down * height, (x, y) => {
      const unit = grid.get(String([Math.floor(x / width), Math.floor(y / height)]));
      const [inX, inY] = [(x % width) - Math.floor(this.gap / 2), (y % height) - Math.floor(this.gap / 2)];
      const isOutside = inX < 0 || inY < 0 || inX >= this.columns * side - line || inY >= this.rows * side - line;
      if (unit === undefined || isOutside) return null;
      const value = this.valueOf(hasInput, unit, Math.floor(inY / side), Math.floor(inX / side));
      return shade(largest ? value / largest : 0, colors, !hasInput, this.isMap ? 0.65 : 1);
    });
  }

  /** For each channel the sum of its outputs times the magnitudes of the weights behind it. */
  choose() {
    if (this.shown.length === this.count) return;
    const behind = network.layers.findIndex((layer, k) => k > this.index && WEIGHTED.includes(layer.kind));
    const x = network.outputs[behind - 1] || network.outputs[this.index], { weights } = network.parameters[behind];
    const outputs = network.shapes[behind + 1].at(-1), importance = new Float64Array(this.count);
    const isDense = network.layers[behind].kind === "dense", sums = new Float64Array(weights.length / outputs);
    for (let i = 0; i < weights.length; i++) sums[Math.floor(i / outputs)] += Math.abs(weights[i]);
    const ofChannel = new Float64Array(this.count);
    sums.forEach((sum, i) => (ofChannel[i % this.count] += sum));
    x.forEach((value, i) => (importance[i % this.count] += Math.abs(value) * (isDense ? sums[i] : ofChannel[i % this.count])));
    const order = [...importance.keys()].sort((a, b) => importance[b] - importance[a]);
    this.shown = order.slice(0, this.shown.length).sort((a, b) => a - b);
  }
}

const THIN = ["pass", "normalization"];
const columns = [];
for (const [index, layer] of network.layers.slice(0, -1).entries()) {
  if (!THIN.includes(layer.kind)) columns.push(new Column(layer, index));
  element("answers").before(THIN.includes(layer.kind) ? thinBar(layer) : columns.at(-1).figure);
}

/** The strongest connections into a layer with weights: [source, target, share of the strongest], the strongest first. */
function linksInto(index, shown, before, best) {
  const { weights } = network.parameters[index], layer = network.layers[index];
  const x = index ? network.outputs[index - 1] : network.input, all = layer.shape.at(-1);
  const channels = network.shapes[index].at(-1), sources = before ? before.shown : null;
  const sums = new Map();
  const add = (source, target, value) => {
    const key = source * 1e6 + target;
    sums.set(key, (sums.get(key) || 0) + value);
  };
  shown.forEach((unit, target) => {
    if (layer.kind === "dense") {
      for (let i = 0; i < x.length; i++) {
        if (x[i] === 0) continue;
        const source = sources ? sources.indexOf(i % channels) : Math.floor(i / SIDE);
        if (source >= 0) add(source, target, x[i] * weights[i * all + unit]);
      }
      return;
    }
    const [rows, across] = layer.shape, y = network.outputs[index], { stride, top, left } = layer, [tall, wide] = layer.size;
    const [height, width] = network.shapes[index];
    let most = 0;
    for (let i = 1; i < rows * across; i++) if (y[i * all + unit] > y[most * all + unit]) most = i;
    const row = Math.floor(most / across) * stride - top, column = (most % across) * stride - left;
    for (let a = 0; a < tall * wide; a++) {
      const [r, t] = [row + Math.floor(a / wide), column + (a % wide)];
      if (r < 0 || t < 0 || r >= height || t >= width) continue;
      for (let c = 0; c < channels; c++) {
        const source = sources ? sources.indexOf(c) : Math.floor(((target + 0.5) * SIDE) / shown.length);
        if (source >= 0) add(source, target, x[(r * width + t) * channels + c] * weights[(a * channels + c) * all + unit]);
      }
    }
  });
  const links = [...sums].map(([key, value]) => [Math.floor(key / 1e6), key % 1e6, value]).filter((link) => link[2]);
  links.sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]));
  const largest = links.length ? Math.abs(links[0][2]) : 1;
  const share = ([source, target, value]) => [source, target, value / largest];
  if (best < 0) return links.slice(0, MAX_WIRES).map(share);
  const own = links.filter((link) => link[1] === best).slice(0, MAX_WIRES * TO_ANSWER);
  return [...links.filter((link) => link[1] !== best).slice(0, MAX_WIRES - own.length), ...own].map(share);
}

/** Draws the connections of a gap; `start` and `end` give the points of a source and a target. */
function drawLinks(context, links, start, end, best, colors) {
  const css = (color) => `rgb(${color.map(Math.round).join(" ")})`;
  for (const [source, target, share] of [...links].sort((a, b) => (a[1] === best) - (b[1] === best) || a[2] - b[2])) {
    const strength = Math.abs(share), [x1, y1] = start(source), [x2, y2] = end(target);
    let alpha = strength >= STRONG ? 0.8 : share > 0 ? 0.25 + 0.6 * strength : 0.16 + 0.5 * strength;
    if (best >= 0) alpha = target === best ? Math.max(alpha, 0.8) : alpha * 0.45;
    context.globalAlpha = alpha;
    context.strokeStyle = css(share < 0 ? colors.negative : colors.positive);
    context.lineWidth = 0.7 + 2.4 * strength;
    context.beginPath();
    context.moveTo(x1, y1);
    const [dx, dy] = isWide.matches ? [(x2 - x1) * 0.45, 0] : [0, (y2 - y1) * 0.45];
    context.bezierCurveTo(x1 + dx, y1 + dy, x2 - dx, y2 - dy, x2, y2);
    context.stroke();
  }
}

/** The box of an element within the stage. */
function boxOf(part) {
  const own = part.getBoundingClientRect(), stage = element("stage").getBoundingClientRect();
  return { left: own.left - stage.left, top: own.top - stage.top, width: own.width, height: own.height };
}

function paintWires(reading, colors) {
  const canvas = element("wires"), ratio = window.devicePixelRatio || 1, stage = boxOf(element("stage"));
  Object.assign(canvas, { width: stage.width * ratio, height: stage.height * ratio });
  if (!reading) return;
  const context = canvas.getContext("2d"), wide = isWide.matches;
  context.scale(ratio, ratio);
  const edge = (box, isEnd, along) => (wide ? [box.left + (isEnd ? box.width : 0), box.top + along * box.height]
    : [box.left + along * box.width, box.top + (isEnd ? box.height : 0)]);
  const tile = (column, isEnd) => (position) => {
    const [x, y] = column.at(position), along = wide ? (y + 0.5) / column.down : (x + 0.5) / column.across;
    return edge(boxOf(column.canvas), isEnd, along);
  };
  const seen = boxOf(element("seen"));
  let before = null;
  for (const column of columns) {
    const start = before ? tile(before, true) : (row) => edge(seen, true, (row + 0.5) / SIDE);
    if (WEIGHTED.includes(column.layer.kind)) {
      drawLinks(context, linksInto(column.index, column.shown, before, -1), start, tile(column, false), -1, colors);
    }
    before = column;
  }
  if (!wide) return; // below each other the bars have no upper ends
  const best = reading.rejected ? -1 : reading.probabilities.indexOf(Math.max(...reading.probabilities));
  const start = before ? tile(before, true) : (row) => edge(seen, true, (row + 0.5) / SIDE);
  const end = (row) => edge(boxOf(bars[row].row), false, 0.5);
  drawLinks(context, linksInto(network.layers.length - 1, bars.map((_, k) => k), before, best), start, end, best, colors);
}

let wiresFrame = 0, chosenFor = null;

/** Shows the network with the present reading; units are chosen once a stroke, connections follow when the pen rests. */
function showStage(reading) {
  const colors = stageColors(), ink = colorOf("--text"), panel = colorOf("--panel");
  paintPixels(element("seen"), SIDE, SIDE, (x, y) => blend(panel, ink, reading ? reading.image[y * SIDE + x] / 255 : 0));
  if (reading && chosenFor !== history.length) {
    chosenFor = history.length;
    for (const column of columns) column.choose();
  }
  for (const column of columns) {
    column.place();
    column.paint(Boolean(reading), colors);
  }
  clearTimeout(wiresFrame);
  wiresFrame = setTimeout(() => paintWires(reading, stageColors()), pointer === null ? 0 : 120);
}

isWide.addEventListener("change", update);
element("hint").textContent = DATA.digits ? "Draw a digit here" : "Draw here";
element("undo").addEventListener("click", undo);
element("clear").addEventListener("click", clear);
document.addEventListener("themechange", update);
new ResizeObserver(update).observe(pad);
new ResizeObserver(update).observe(element("stage"));
network.read(new Uint8Array(SIDE * SIDE)); // compiles what the first stroke needs
if (detector) detector.read(new Uint8Array(SIDE * SIDE));
show();
