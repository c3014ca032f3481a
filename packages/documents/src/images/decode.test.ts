import { crc32 } from "node:zlib";

import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";

import { RIVERS_JP2, SQUARES_CODESTREAM, SQUARES_JP2 } from "../../../../test/jpeg-2000-pictures.ts";
import { openPdfReader, type PdfReader } from "../pdfium/reader.ts";
import { decodePicture } from "./decode.ts";

let pdf: PdfReader;

beforeAll(async () => {
  pdf = await openPdfReader();
});

const decode = (file: Uint8Array) => decodePicture(file, pdf);

/** Two rows: a black pixel, then two white ones; all white. */
const ROWS = [0, 255, 255, 255, 255, 255];

const drawn = (options: { density?: number } = {}) => {
  const picture = sharp(Uint8Array.from(ROWS), { raw: { width: 3, height: 2, channels: 1 } });
  return options.density === undefined ? picture : picture.withMetadata({ density: options.density });
};

const dark = (pixels: Uint8Array) => [...pixels].flatMap((pixel, at) => (pixel < 100 ? [at] : []));

describe("a picture", () => {
  test.each([
    ["PNG", () => drawn().png()],
    ["GIF", () => drawn().gif()],
    ["TIFF", () => drawn().tiff({ compression: "none" })],
    ["WebP", () => drawn().webp({ lossless: true })],
    ["AVIF", () => drawn().avif({ lossless: true })],
    ["JPEG", () => drawn().resize(30, 20, { kernel: "nearest" }).jpeg({ quality: 100 }).resize(30, 20)],
  ])("in %s is decoded to shades of grey", async (_format, make) => {
    const { pixels, width, height } = await decode(await make().toBuffer());
    expect(pixels.length).toBe(width * height);
    expect(pixels[0]).toBeLessThan(100);
    expect(pixels[width - 1]).toBeGreaterThan(200);
    expect(pixels.at(-1)).toBeGreaterThan(200);
  });

  test("is turned as its file says", async () => {
    const turned = await drawn().withMetadata({ orientation: 6 }).png().toBuffer();
    const { pixels, width, height } = await decode(turned);
    expect([width, height, dark(pixels)]).toEqual([2, 3, [1]]);
  });

  test("that is transparent stands on white", async () => {
    const clear = sharp({ create: { width: 2, height: 1, channels: 4, background: "#00000000" } });
    const { pixels } = await decode(await clear.png().toBuffer());
    expect([...pixels]).toEqual([255, 255]);
  });

  test("R30 of several frames is the first", async () => {
    const frames = sharp([await drawn().png().toBuffer(), await drawn().negate().png().toBuffer()], {
      join: { animated: true },
    });
    const { height, pixels } = await decode(await frames.gif().toBuffer());
    expect([height, dark(pixels)]).toEqual([2, [0]]);
  });

  test.each([
    [300, 300],
    [undefined, 70],
    [9000, 70],
  ])("that says it has %s dots per inch has %s", async (density, dpi) => {
    const file = await drawn({ ...(density !== undefined && { density }) })
      .png()
      .toBuffer();
    expect((await decode(file)).dpi).toBe(dpi);
  });
});

describe("a Windows bitmap", () => {
  /** The rows above, in colours of so many bits, from the bottom to the top unless said otherwise. */
  function bitmap(
    bits: number,
    { isTopDown = false, width = 3, rows }: { isTopDown?: boolean; width?: number; rows: number[] },
  ): Buffer {
    const colours = bits <= 8 ? 2 ** bits : 0;
    const header = Buffer.alloc(54 + colours * 4);
    header.write("BM");
    header.writeUInt32LE(header.length, 10);
    header.writeUInt32LE(40, 14);
    header.writeInt32LE(width, 18);
    header.writeInt32LE(isTopDown ? -2 : 2, 22);
    header.writeUInt16LE(1, 26);
    header.writeUInt16LE(bits, 28);
    header.writeInt32LE(7874, 38);
    if (colours > 0) header.writeUInt32LE(0xffffff, 58);
    return Buffer.concat([header, Buffer.from(rows)]);
  }

  test.each([
    ["1 bit", 1, [0b11100000, 0, 0, 0, 0b01100000, 0, 0, 0]],
    ["4 bits", 4, [0x11, 0x10, 0, 0, 0x01, 0x10, 0, 0]],
    ["8 bits", 8, [1, 1, 1, 0, 0, 1, 1, 0]],
    ["24 bits", 24, [...Array(9).fill(255), 0, 0, 0, 0, 0, 0, ...Array(6).fill(255), 0, 0, 0]],
    ["32 bits", 32, [...Array(12).fill(255), 0, 0, 0, 0, ...Array(8).fill(255)]],
  ])("of %s is decoded", async (_bits, bits, rows) => {
    const picture = await decode(bitmap(bits, { rows }));
    expect(picture).toMatchObject({ width: 3, height: 2, dpi: 200 });
    expect([...picture.pixels].map((pixel) => (pixel > 250 ? 255 : pixel))).toEqual(ROWS);
  });

  test("from top to bottom is decoded so", async () => {
    const rows = [0, 1, 1, 0, 1, 1, 1, 0];
    const { pixels } = await decode(bitmap(8, { isTopDown: true, rows }));
    expect(dark(pixels)).toEqual([0]);
  });

  test("that ends early is white where it ends", async () => {
    const { pixels } = await decode(bitmap(8, { rows: [0, 0, 0, 0] }));
    expect(dark(pixels)).toEqual([3, 4, 5]);
  });

  test("that is absurdly wide is refused", async () => {
    const wide = bitmap(1, { width: 40_000, rows: [] });
    await expect(decode(wide)).rejects.toThrow("a side is longer than 30000 pixels");
  });
});

describe("a JPEG 2000 picture", () => {
  test.each([
    ["in a file", SQUARES_JP2],
    ["as a codestream", SQUARES_CODESTREAM],
  ])("%s is decoded to shades of grey", async (_how, file) => {
    const { pixels, width, height } = await decode(file);
    expect([width, height]).toEqual([24, 16]);
    const squares = [4, 12, 20].flatMap((x) => [pixels[4 * 24 + x], pixels[12 * 24 + x]]);
    expect(squares).toEqual([0, 255, 255, 255, 255, 255]);
  });

  test("has a usual resolution", async () => {
    expect((await decode(RIVERS_JP2)).dpi).toBe(70);
  });

  test("R30 is refused by its header, before it is decoded", async () => {
    const huge = Buffer.from(SQUARES_CODESTREAM);
    huge.writeUInt32BE(30_000, 8);
    huge.writeUInt32BE(30_000, 12);
    await expect(decode(huge)).rejects.toThrow("it has more than 60 million pixels");
  });

  test.each([20, 60, 100, 120])("that ends after %i bytes is refused, or white", async (bytes) => {
    const outcome = await decode(SQUARES_JP2.subarray(0, bytes)).then(
      ({ pixels }) => pixels.length,
      ({ code }: { readonly code: string }) => code,
    );
    expect([24 * 16, "unreadable-file"]).toContain(outcome);
  });
});

describe("what is no picture, or too much of one", () => {
  test("R30 is refused by its header, before it is decoded", async () => {
    const huge = await sharp({ create: { width: 12_000, height: 6_000, channels: 3, background: "white" } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const before = process.cpuUsage();
    await expect(decode(huge)).rejects.toMatchObject({
      code: "unreadable-file",
      message: expect.stringContaining("it has more than 60 million pixels"),
    });
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });

  test("R30 is refused by what it promises: 30,000 by 30,000 pixels in a few bytes", async () => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(30_000, 0);
    header.writeUInt32BE(30_000, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data]);
      const ends = Buffer.alloc(8);
      ends.writeUInt32BE(data.length, 0);
      ends.writeUInt32BE(crc32(body), 4);
      return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
    };
    const empty = Buffer.alloc(0);
    const chunks = [chunk("IHDR", header), chunk("IDAT", empty), chunk("IEND", empty)];
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...chunks]);
    await expect(decode(png)).rejects.toMatchObject({
      code: "unreadable-file",
      message: expect.stringContaining("it has more than 60 million pixels"),
    });
  });

  test.each([
    ["words", Buffer.from("words")],
    ["nothing", Buffer.alloc(0)],
    ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ["JPEG 2000", Buffer.from("0000000c6a5020200d0a870a", "hex")],
  ])("is refused: %s", async (_what, file) => {
    await expect(decode(file)).rejects.toMatchObject({
      code: "unreadable-file",
    });
  });
});
