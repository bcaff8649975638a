// Writes drawings with their labels as the program's file of digits: an .npz file, which is a zip file of arrays.
"use strict";

/** The CRC-32 of bytes, as zip files have it. */
function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A NumPy array as a .npy file of version 1.0. `values`: a typed array. */
function npy(values, dtype, shape) {
  const text = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
  const padded = text.padEnd(64 * Math.ceil((text.length + 11) / 64) - 11) + "\n";
  const head = [0x93, ..."NUMPY".split("").map((c) => c.charCodeAt(0)), 1, 0, padded.length & 255, padded.length >> 8];
  return new Uint8Array([...head, ...new TextEncoder().encode(padded), ...new Uint8Array(values.buffer)]);
}

/** A zip file of {name: bytes}, not compressed. */
function zip(files) {
  const chunks = [], directory = [];
  let offset = 0;
  // Numbers of [value, bytes], the least byte first.
  const numbers = (...pairs) => pairs.flatMap(([value, size]) =>
    Array.from({ length: size }, (_, byte) => Math.floor(value / 2 ** (8 * byte)) & 255));
  for (const [name, content] of Object.entries(files)) {
    const letters = [...new TextEncoder().encode(name)], size = content.length;
    // Version, flags, method, time and date (1 January 1980), checksum, sizes, length of the name, no extra field.
    const common = numbers([20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [checksum(content), 4], [size, 4], [size, 4],
      [letters.length, 2], [0, 2]);
    chunks.push(new Uint8Array([0x50, 0x4b, 3, 4, ...common, ...letters]), content);
    directory.push(0x50, 0x4b, 1, 2, 20, 0, ...common, ...numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), ...letters);
    offset += 30 + letters.length + size;
  }
  const count = Object.keys(files).length;
  const end = [0x50, 0x4b, 5, 6, ...numbers([0, 2], [0, 2], [count, 2], [count, 2], [directory.length, 4], [offset, 4], [0, 2])];
  return new Blob([...chunks, new Uint8Array(directory), new Uint8Array(end)], { type: "application/octet-stream" });
}

/** The file of the digits of one person: [{image: bytes (28 x 28), label}]. */
function digitsFile(kept, name) {
  const images = new Uint8Array(kept.flatMap(({ image }) => [...image]));
  const letters = new TextEncoder().encode(name.replace(/[\r\n]/g, " ").trim() || "?");
  return zip({
    "images.npy": npy(images, "|u1", [kept.length, SIDE, SIDE]),
    "labels.npy": npy(Uint8Array.from(kept, ({ label }) => label), "|u1", [kept.length]),
    "writers.npy": npy(new Int32Array(kept.length), "<i4", [kept.length]),
    "names.npy": npy(letters, "|u1", [letters.length]),
  });
}
