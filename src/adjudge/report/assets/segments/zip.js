// Several files as one archive, without compression (ZIP, APPNOTE 6.3: local headers, central directory, its end).

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = table[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

// Numbers of two ("h") and four ("i") bytes one after the other.
function header(shape, ...numbers) {
  const size = [...shape].reduce((total, kind) => total + (kind === "h" ? 2 : 4), 0);
  const view = new DataView(new ArrayBuffer(size));
  let at = 0;
  [...shape].forEach((kind, i) => {
    if (kind === "h") view.setUint16(at, numbers[i], true);
    else view.setUint32(at, numbers[i], true);
    at += kind === "h" ? 2 : 4;
  });
  return new Uint8Array(view.buffer);
}

const UTF8 = 0x0800;
const DAY = (1 << 5) | 1; // 1 January 1980: the same files make the same archive

// files: { name: text }
export function zipped(files) {
  const encoder = new TextEncoder();
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [title, text] of Object.entries(files)) {
    const [name, content] = [encoder.encode(title), encoder.encode(text)];
    const facts = [crc32(content), content.length, content.length, name.length, 0];
    const local = header("ihhhhhiiihh", 0x04034b50, 20, UTF8, 0, 0, DAY, ...facts);
    directory.push(
      header("ihhhhhhiiihhhhhii", 0x02014b50, 20, 20, UTF8, 0, 0, DAY, ...facts, 0, 0, 0, 0, offset),
      name,
    );
    parts.push(local, name, content);
    offset += local.length + name.length + content.length;
  }
  const size = directory.reduce((total, part) => total + part.length, 0);
  const count = directory.length / 2;
  const end = header("ihhhhiih", 0x06054b50, 0, 0, count, count, size, offset, 0);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
