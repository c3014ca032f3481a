import { inflateSync } from "node:zlib";

/** A decoded image: red, green, blue and alpha of each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Colour of a pixel as `#rrggbb`. */
  at(x: number, y: number): string;
  /** How many pixels of a rectangle are not of this colour. */
  others(color: string, area?: { x: number; y: number; width: number; height: number }): number;
}

/** Decodes a PNG of 8 bits per channel, RGB or RGBA, not interlaced: what browsers write. */
export function decodePng(bytes: Uint8Array): Pixels {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.toString("latin1", 1, 4) !== "PNG") throw new Error("This is no PNG.");
  const width = data.readUInt32BE(16);
  const height = data.readUInt32BE(20);
  const [depth, colorType, , , interlace] = data.subarray(24, 29);
  if (depth !== 8 || (colorType !== 2 && colorType !== 6) || interlace !== 0) {
    throw new Error(`PNG of another kind: depth ${depth}, color type ${colorType}.`);
  }
  const channels = colorType === 6 ? 4 : 3;
  const rows = unfilter(inflateSync(Buffer.concat(imageData(data))), width * channels, height, channels);
  const at = (x: number, y: number): string => {
    const start = (y * width + x) * channels;
    return `#${rows.toString("hex", start, start + 3)}`;
  };
  return {
    width,
    height,
    at,
    others(color, area = { x: 0, y: 0, width, height }) {
      let count = 0;
      for (let y = area.y; y < area.y + area.height; y += 1) {
        for (let x = area.x; x < area.x + area.width; x += 1) if (at(x, y) !== color) count += 1;
      }
      return count;
    },
  };
}

function imageData(png: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let offset = 8;
  while (offset < png.byteLength) {
    const length = png.readUInt32BE(offset);
    const type = png.toString("latin1", offset + 4, offset + 8);
    if (type === "IDAT") parts.push(png.subarray(offset + 8, offset + 8 + length));
    offset += length + 12;
  }
  return parts;
}

/** PNG specification, section 9: each byte was told by its difference to neighbours. */
function unfilter(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    const source = raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    for (let i = 0; i < stride; i += 1) {
      const left = i >= channels ? (out[y * stride + i - channels] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + i] ?? 0) : 0;
      const corner = i >= channels && y > 0 ? (out[(y - 1) * stride + i - channels] ?? 0) : 0;
      out[y * stride + i] = ((source[i] ?? 0) + predict(filter, left, up, corner)) & 255;
    }
  }
  return out;
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter === 4) return paeth(left, up, corner);
  return 0;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
