// From the strokes of a drawing to the 28x28 image that the network sees: core/drawing/strokes.py, rendering.py and
// ink.py in JavaScript. Every number is computed in the same order as there, so that both give the same bytes.
"use strict";

const SIDE = 28, INK_SIDE = 20, MIDDLE = 14;
const PAD = 560; // side of the canvas that the places of a stroke are given in
const PAD_PEN = 40; // width of the pen there
const PEN = 2.3, FACTOR = 2, BOX = FACTOR * INK_SIDE, CANVAS = BOX + 6; // of the small canvas that strokes are painted on
const MIN_ASPECT = 0.35, MAX_WIDENING = 2, MIN_EXTENT = 1 / 16;
const LINE_ROWS = 24, LINE_INK = 20, LINE_MARGIN = 4, LINE_PEN = 2.6, LONGEST = 12; // of the image of a number
const INK_THRESHOLD = 25; // a byte above it is ink

/** The integer next to x; of two, the even one, as NumPy and Python round. */
function rint(x) {
  const low = Math.floor(x), rest = x - low;
  return rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low;
}

/** The points [x, y] of the curve through those of a stroke: quadratic Bezier curves between their middles. */
function smooth(points) {
  if (points.length < 3) return points;
  const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const curve = [points[0], middle(points[0], points[1])];
  for (let i = 1; i < points.length - 1; i++) {
    const start = middle(points[i - 1], points[i]), end = middle(points[i], points[i + 1]);
    for (let step = 1; step <= 4; step++) {
      const t = step / 4, rest = 1 - t;
      curve.push([0, 1].map((k) => rest * rest * start[k] + 2 * t * rest * points[i][k] + t * t * end[k]));
    }
  }
  curve.push(points[points.length - 1]);
  return curve;
}

/** Paints a line with round ends into `ink`, bytes (rows x columns), keeping the darker of old and new. */
function paintSegment(ink, rows, columns, x0, y0, x1, y1, radius) {
  const reach = radius + 1;
  const top = Math.max(Math.trunc(Math.min(y0, y1) - reach), 0);
  const bottom = Math.min(Math.trunc(Math.max(y0, y1) + reach) + 1, rows);
  const left = Math.max(Math.trunc(Math.min(x0, x1) - reach), 0);
  const right = Math.min(Math.trunc(Math.max(x0, x1) + reach) + 1, columns);
  const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const inside = Math.max(radius - 0.5, 0), inner = inside * inside, outer = (radius + 0.5) * (radius + 0.5);
  for (let row = top; row < bottom; row++) {
    const py = row + 0.5 - y0;
    for (let column = left; column < right; column++) {
      const px = column + 0.5 - x0;
      const along = length > 0 ? Math.min(Math.max((px * dx + py * dy) / length, 0), 1) : 0;
      const ex = px - along * dx, ey = py - along * dy, square = ex * ex + ey * ey;
      if (square < outer) {
        const level = square <= inner ? 255 : Math.trunc(255 * (radius + 0.5 - Math.sqrt(square)));
        if (level > ink[row * columns + column]) ink[row * columns + column] = level;
      }
    }
  }
}

/** Paints curves into empty bytes (rows x columns). */
function paint(curves, rows, columns, radius) {
  const ink = new Uint8Array(rows * columns);
  for (const curve of curves) {
    for (let i = 0; i < Math.max(curve.length - 1, 1); i++) {
      const [start, end] = [curve[i], curve[Math.min(i + 1, curve.length - 1)]];
      paintSegment(ink, rows, columns, start[0], start[1], end[0], end[1], radius);
    }
  }
  return ink;
}

/** The box around the ink, as {values, rows, columns}; null without ink. */
function cropped(ink, side) {
  let top = side, bottom = -1, left = side, right = -1;
  for (let i = 0; i < ink.length; i++) {
    if (ink[i] <= INK_THRESHOLD) continue;
    const row = Math.floor(i / side), column = i % side;
    top = Math.min(top, row), bottom = Math.max(bottom, row);
    left = Math.min(left, column), right = Math.max(right, column);
  }
  if (bottom < 0) return null;
  const rows = bottom - top + 1, columns = right - left + 1, values = new Float64Array(rows * columns);
  for (let i = 0; i < values.length; i++) {
    values[i] = ink[(top + Math.floor(i / columns)) * side + left + (i % columns)];
  }
  return { values, rows, columns };
}

/** A box with both sides multiplied by `scale`: sums over areas, along the rows first, then along the columns. */
function shrunk(box, scale) {
  for (let pass = 0; pass < 2; pass++) {
    // Read transposed: "line" counts along the side that is summed.
    const size = box.columns, places = box.rows, count = Math.max(1, rint(size * scale));
    const values = new Float64Array(count * places);
    for (let cell = 0; cell < count; cell++) {
      const low = cell * (size / count), high = (cell + 1) * (size / count);
      for (let line = Math.trunc(low); line < Math.min(Math.trunc(high) + 1, size); line++) {
        const share = Math.max(Math.min(high, line + 1) - Math.max(low, line), 0);
        for (let place = 0; place < places; place++) {
          values[cell * places + place] += share * box.values[place * size + line];
        }
      }
    }
    box = { values, rows: count, columns: places };
  }
  return box;
}

/** The 28x28 bytes with `small` at this place, its peak brought to 255. */
function placed(small, top, left) {
  const image = new Uint8Array(SIDE * SIDE), peak = small.values.reduce((a, b) => Math.max(a, b), 0);
  small.values.forEach((value, i) => {
    image[(top + Math.floor(i / small.columns)) * SIDE + left + (i % small.columns)] = rint((value * 255) / peak);
  });
  return image;
}

/** The image of MNIST's form: `small` with its center of mass in the middle. */
function centered(small) {
  let total = 0, momentY = 0, momentX = 0;
  small.values.forEach((value, i) => {
    total += value;
    momentY += value * Math.floor(i / small.columns);
    momentX += value * (i % small.columns);
  });
  const start = (moment, side) => Math.min(Math.max(MIDDLE - rint(moment / total), 0), SIDE - side);
  return placed(small, start(momentY, small.rows), start(momentX, small.columns));
}

/** The least and the greatest [x, y] of curves. */
function limits(curves) {
  const points = curves.flat();
  return [Math.min, Math.max].map((pick) => [0, 1].map((k) => points.reduce((a, b) => pick(a, b[k]), points[0][k])));
}

/** The image of a digit: its longest side is 20, a narrow one is widened, and the pen has its usual width. */
function renderStrokes(curves) {
  const [low, high] = limits(curves);
  const width = high[0] - low[0], height = high[1] - low[1];
  if (Math.max(width, height) < PAD * MIN_EXTENT) return null; // a dot
  const radius = PEN * (FACTOR / 2);
  const scale = (BOX - 2 * radius) / Math.max(Math.max(width, height), 1e-9);
  const held = Math.max(width, Math.min(MAX_WIDENING * width, MIN_ASPECT * height));
  const scales = [scale * (width > 0 ? held / Math.max(width, 1e-9) : 1), scale];
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const fit = (point) => [0, 1].map((k) => rint(((point[k] - middle[k]) * scales[k] + CANVAS / 2) * 256) / 256);
  const box = cropped(paint(curves.map((curve) => curve.map(fit)), CANVAS, CANVAS, rint(radius * 256) / 256), CANVAS);
  return box && centered(shrunk(box, INK_SIDE / Math.max(box.rows, box.columns)));
}

/** The image of clothes: the ink of the canvas fills the frame. */
function fillFrame(curves) {
  const box = cropped(paint(curves, PAD, PAD, PAD_PEN / 2), PAD);
  if (!box) return null;
  box.values = box.values.map((value) => Math.fround(Math.fround(value) * Math.fround(1 / 255)));
  const small = shrunk(box, SIDE / Math.max(box.rows, box.columns));
  return placed(small, Math.floor((SIDE - small.rows) / 2), Math.floor((SIDE - small.columns) / 2));
}

/** The image of a line of digits, {pixels: bytes (24 x columns), columns}: core/drawing/line.py. */
function lineOf(strokes) {
  const curves = strokes.map(smooth), [low, high] = limits(curves), [width, height] = [0, 1].map((k) => high[k] - low[k]);
  const scale = (LINE_INK - LINE_PEN) / Math.max(height, width / LONGEST, 1e-9);
  const offset = [LINE_MARGIN + LINE_PEN / 2, (LINE_ROWS - height * scale) / 2];
  const needed = 2 * LINE_MARGIN + Math.ceil(width * scale + LINE_PEN), columns = needed + (needed % 2);
  const fit = (point) => [0, 1].map((k) => rint(((point[k] - low[k]) * scale + offset[k]) * FACTOR * 256) / 256);
  const fitted = curves.map((curve) => curve.map(fit));
  const ink = paint(fitted, FACTOR * LINE_ROWS, FACTOR * columns, (FACTOR * LINE_PEN) / 2);
  const pixels = Uint8Array.from({ length: LINE_ROWS * columns }, (_, i) => {
    const at = FACTOR * (Math.floor(i / columns) * FACTOR * columns + (i % columns));
    return (ink[at] + ink[at + 1] + ink[at + FACTOR * columns] + ink[at + FACTOR * columns + 1]) / 4;
  });
  return { pixels, columns };
}

/** The network's input, bytes (28 x 28), of strokes: arrays of [x, y] on a canvas of PAD; null for too little ink. */
function imageOf(strokes, fillsFrame) {
  const curves = strokes.map(smooth);
  if (!curves.length) return null;
  return fillsFrame ? fillFrame(curves) : renderStrokes(curves);
}
