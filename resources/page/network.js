// The forward pass of a network, one image at a time. Values are (height, width, channels), as in the program.
// ACTIVATIONS, a function of one number for each name, is written before this file.
"use strict";

const NORM_EPSILON = 1e-5;

/** The bytes of a base64 text. */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function floatsOf(text) {
  return new Float32Array(bytesOf(text).buffer);
}

/** Adds the numbers of `packed` to `weights`: integers of `bits` bits, in units of `scales`, one for each output. */
function addUnpacked(weights, outputs, packed, bits, scales, at) {
  const zero = 2 ** (bits - 1) - 1;
  let held = 0, count = 0;
  for (let i = 0; i < weights.length; i++) {
    while (count < bits) {
      held = (held << 8) | packed[at.byte++];
      count += 8;
    }
    count -= bits;
    const level = (held >>> count) - zero;
    held &= (1 << count) - 1;
    weights[i] += Math.fround(level * scales[at.scale + (i % outputs)]);
  }
  at.scale += outputs;
}

/**
 * The parameters of each layer, {weights, rest}: float32, of numbers as core/reading/drawing_page.py packs them.
 * `base`: parameters that they are differences to.
 */
function unpack(layers, numbers, base) {
  const packed = bytesOf(numbers.packed), scales = floatsOf(numbers.scales), rest = floatsOf(numbers.rest);
  const whole = numbers.bits === 32 ? new Float32Array(packed.buffer) : null;
  const at = { byte: 0, scale: 0, rest: 0 };
  return layers.map((layer, index) => {
    if (!layer.weights) return null;
    const outputs = layer.shape[layer.shape.length - 1];
    const weights = base ? base[index].weights.slice() : new Float32Array(layer.weights);
    if (whole) weights.set(whole.subarray(at.byte, (at.byte += layer.weights)));
    else addUnpacked(weights, outputs, packed, numbers.bits, scales, at);
    const own = rest.subarray(at.rest, (at.rest += layer.rest));
    return { weights, rest: own };
  });
}

// One function for each kind of layer: (x, layer, input shape, parameters, y), which writes the sums into y.
const LAYERS = {
  pass(x, layer, shape, parameters, y) {
    y.set(x);
  },

  dense(x, layer, shape, { weights, rest }, y) {
    const units = y.length;
    y.set(rest);
    for (let i = 0; i < x.length; i++) {
      const value = x[i];
      if (value === 0) continue; // most pixels, and half of the outputs of a ReLU
      for (let unit = 0, at = i * units; unit < units; unit++, at++) y[unit] += value * weights[at];
    }
  },

  convolution(x, layer, [height, width, channels], { weights, rest }, y) {
    const [rows, columns, maps] = layer.shape, { size, stride, top, left } = layer, [tall, wide] = size;
    for (let row = 0, out = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++, out += maps) {
        const sums = y.subarray(out, out + maps);
        sums.set(rest);
        for (let a = 0; a < tall; a++) {
          const r = row * stride + a - top;
          if (r < 0 || r >= height) continue;
          for (let e = 0; e < wide; e++) {
            const t = column * stride + e - left;
            if (t < 0 || t >= width) continue;
            const from = (r * width + t) * channels, filter = (a * wide + e) * channels * maps;
            for (let c = 0; c < channels; c++) {
              const value = x[from + c];
              if (value === 0) continue;
              for (let map = 0, at = filter + c * maps; map < maps; map++, at++) sums[map] += value * weights[at];
            }
          }
        }
      }
    }
  },

  pool(x, layer, [, width, channels], parameters, y) {
    const [rows, columns] = layer.shape, [tall, wide] = layer.block;
    for (let out = 0; out < rows * columns * channels; out++) {
      const channel = out % channels, column = Math.floor(out / channels) % columns;
      const row = Math.floor(out / channels / columns);
      let largest = -Infinity;
      for (let a = 0; a < tall; a++) {
        for (let e = 0; e < wide; e++) {
          const value = x[((row * tall + a) * width + column * wide + e) * channels + channel];
          if (value > largest) largest = value;
        }
      }
      y[out] = largest;
    }
  },

  averagePool(x, layer, [, width, channels], parameters, y) {
    const [rows, columns] = layer.shape, [tall, wide] = layer.block;
    for (let out = 0; out < rows * columns * channels; out++) {
      const channel = out % channels, column = Math.floor(out / channels) % columns;
      const row = Math.floor(out / channels / columns);
      let total = 0;
      for (let a = 0; a < tall; a++) {
        for (let e = 0; e < wide; e++) {
          total += x[((row * tall + a) * width + column * wide + e) * channels + channel];
        }
      }
      y[out] = total / (tall * wide);
    }
  },

  normalization(x, layer, shape, { weights, rest }, y) {
    const n = weights.length; // rest: shifts, means, variances
    for (let i = 0; i < x.length; i++) {
      const c = i % n;
      y[i] = (weights[c] * (x[i] - rest[n + c])) / Math.sqrt(rest[2 * n + c] + NORM_EPSILON) + rest[c];
    }
  },
};

/** A network with its parameters, ready to read. */
class Network {
  /** `columns`: of the images, where they are not those that the description has. */
  constructor(description, columns = description.input[1]) {
    const ofWidth = ([rows, width, maps]) => (maps ? [rows, (width * columns) / description.input[1], maps] : [rows]);
    this.layers = description.layers.map((layer) => ({ ...layer, shape: ofWidth(layer.shape) }));
    this.output = description.output;
    this.temperature = description.temperature;
    this.shapes = [ofWidth(description.input), ...this.layers.map((layer) => layer.shape)];
    this.trained = unpack(this.layers, description.numbers);
    this.parameters = this.trained;
    this.input = new Float64Array(this.shapes[0].reduce((a, b) => a * b));
    this.outputs = this.layers.map((layer) => new Float64Array(layer.shape.reduce((a, b) => a * b)));
  }

  /** The probabilities of an image of bytes; `outputs` then has the outputs of each layer. */
  read(image) {
    return this.probabilities(Array.from(this.sums(image)));
  }

  /** The outputs of the last layer. */
  sums(image) {
    let x = this.input;
    for (let i = 0; i < x.length; i++) x[i] = image[i] / 255;
    this.layers.forEach((layer, index) => {
      const y = this.outputs[index], f = ACTIVATIONS[layer.activation];
      LAYERS[layer.kind](x, layer, this.shapes[index], this.parameters[index], y);
      if (layer.activation !== "linear") for (let i = 0; i < y.length; i++) y[i] = f(y[i]);
      x = y;
    });
    return x;
  }

  /** Softmax of the sums z, or the shares of positive outputs; p^(1 / T) brings them to the temperature T. */
  probabilities(z) {
    const largest = Math.max(...z);
    let shares = z.map((value) => (this.output === "softmax" ? Math.exp((value - largest) / this.temperature)
      : Math.max(value, 0) ** (1 / this.temperature)));
    const total = shares.reduce((a, b) => a + b, 0);
    return shares.map((share) => (total > 0 ? share / total : 1 / z.length));
  }
}

const BEAM = 8, LEAST = 1e-3; // beginnings of texts that are kept; what a symbol needs to be tried
const COLUMNS = 16; // networks for lines are made for multiples of so many columns

/** Reads lines of digits with a network over their columns. */
class LineReader {
  constructor(description) {
    this.description = description;
    this.networks = new Map(); // for each width
  }

  /** The likeliest text of a line of `lineOf`, as {labels, probability}: core/reading/decoding.py. */
  read({ pixels, columns }) {
    const width = COLUMNS * Math.ceil(columns / COLUMNS);
    if (!this.networks.has(width)) this.networks.set(width, new Network(this.description, width));
    const network = this.networks.get(width), image = new Uint8Array(LINE_ROWS * width);
    for (let row = 0; row < LINE_ROWS; row++) {
      image.set(pixels.subarray(row * columns, (row + 1) * columns), row * width);
    }
    const sums = network.sums(image), count = network.shapes[network.shapes.length - 1][2];
    let beams = new Map([["", { labels: [], blanks: 1, others: 0 }]]);
    for (let at = 0; at < (columns / 2) * count; at += count) {
      beams = LineReader.longer(beams, network.probabilities(Array.from(sums.subarray(at, at + count))));
    }
    const [best] = beams.values();
    return { labels: best.labels, probability: best.blanks + best.others };
  }

  /** The beginnings of texts one column on, the likeliest first. `answers`: its probabilities, a blank's last. */
  static longer(beams, answers) {
    const next = new Map(), blank = answers.length - 1;
    const entry = (labels) => {
      const key = labels.join();
      if (!next.has(key)) next.set(key, { labels, blanks: 0, others: 0 });
      return next.get(key);
    };
    for (const { labels, blanks, others } of beams.values()) {
      const last = labels[labels.length - 1], own = entry(labels);
      own.blanks += (blanks + others) * answers[blank];
      if (labels.length) own.others += others * answers[last];
      for (let label = 0; label < blank; label++) {
        if (answers[label] <= LEAST) continue;
        entry([...labels, label]).others += (label === last ? blanks : blanks + others) * answers[label];
      }
    }
    const total = ([, { blanks, others }]) => blanks + others;
    return new Map([...next].sort((a, b) => total(b) - total(a)).slice(0, BEAM));
  }
}
