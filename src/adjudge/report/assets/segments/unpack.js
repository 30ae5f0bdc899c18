// From what the page carries to bytes and columns; browser_data.py says how it is packed.

export const MISSING = -(2 ** 31);

export function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const values = new Uint8Array(128);
  for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
    const bits =
      (values[text.charCodeAt(from)] << 18) |
      (values[text.charCodeAt(from + 1)] << 12) |
      (values[text.charCodeAt(from + 2)] << 6) |
      values[text.charCodeAt(from + 3)];
    bytes[to] = bits >> 16;
    bytes[to + 1] = bits >> 8; // beyond the end of the last bytes nothing is stored
    bytes[to + 2] = bits;
  }
  return bytes;
}

export async function inflated(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function unpacked(text) {
  return inflated(bytesOfBase64(text.trim()));
}

// The document at the beginning, and where each column lies behind it.
export function readColumns(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const document = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const starts = [];
  let at = 4 + size;
  for (const length of document.columns) {
    starts.push(at);
    at += 4 * length;
  }
  return { document, bytes, starts };
}

// A column stands as its lowest bytes, then the next ones, up to the highest.
export function column({ document, bytes, starts }, place) {
  const length = document.columns[place];
  const start = starts[place];
  const values = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    const at = start + i;
    values[i] = bytes[at] | (bytes[at + length] << 8) | (bytes[at + 2 * length] << 16) | (bytes[at + 3 * length] << 24);
  }
  return values;
}
