import zlib from "node:zlib";

import { describe, expect, test } from "vitest";

import { contentCodings, decodeContent } from "./decode-content.ts";

const LIMIT = 10_000_000;
const text = "The quick brown fox. ".repeat(5000);

async function decoded(body: Uint8Array, header: string, limit = LIMIT) {
  return Buffer.from(await decodeContent(body, contentCodings(header), limit)).toString();
}

describe("decodeContent", () => {
  test.each([
    ["gzip", zlib.gzipSync(text)],
    ["X-GZIP", zlib.gzipSync(text)],
    ["br", zlib.brotliCompressSync(text)],
    ["deflate", zlib.deflateSync(text)],
    ["deflate", zlib.deflateRawSync(text)],
    ["deflate", zlib.gzipSync(text)],
    ["identity", Buffer.from(text)],
    ["", Buffer.from(text)],
    ["unheard-of", Buffer.from(text)],
    ["gzip, gzip", zlib.gzipSync(zlib.gzipSync(text))],
    ["gzip, br", zlib.brotliCompressSync(zlib.gzipSync(text))],
    ["gzip", Buffer.concat([zlib.gzipSync(text.slice(0, 5)), zlib.gzipSync(text.slice(5))])],
    ["gzip", Buffer.concat([zlib.gzipSync(text), Buffer.from("trailing junk")])],
    // R11: names that objects inherit.
    ["constructor", Buffer.from(text)],
    ["__proto__, toString", Buffer.from(text)],
  ])("undoes %j", async (header, body) => {
    expect(await decoded(body, header)).toBe(text);
  });

  test("leaves a plain body alone that is labelled gzip", async () => {
    expect(await decoded(Buffer.from("<html>"), "gzip")).toBe("<html>");
  });

  test("leaves an empty body empty", async () => {
    expect(await decoded(Buffer.alloc(0), "br")).toBe("");
  });

  test("gives what a truncated body holds", async () => {
    const whole = zlib.gzipSync(
      Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 251)),
    );
    const part = await decodeContent(whole.subarray(0, whole.length / 2), ["gzip"], LIMIT);
    expect(part.byteLength).toBeGreaterThan(0);
  });

  test.each([
    ["br", Buffer.from("this is not brotli, not at all")],
    ["deflate", Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ])("refuses corrupt %s", async (header, body) => {
    await expect(decoded(body, header)).rejects.toMatchObject({ kind: "protocol" });
  });

  test("refuses too many layers", async () => {
    await expect(decoded(Buffer.from("x"), "gzip,gzip,gzip,gzip,gzip,gzip")).rejects.toMatchObject({
      kind: "protocol",
    });
  });
});

describe("a bomb stops at the limit", () => {
  const zeros = Buffer.alloc(50_000_000);
  const gzipped = zlib.gzipSync(zeros, { level: 1 });
  test.each([
    ["gzip", gzipped],
    ["br", zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["deflate", zlib.deflateSync(zeros, { level: 1 })],
    ["gzip, gzip", zlib.gzipSync(gzipped)],
  ])("%s", async (header, body) => {
    await expect(decoded(body, header)).rejects.toMatchObject({ kind: "too-large" });
    await expect(decodeContent(body, contentCodings(header), 100_000)).rejects.toMatchObject({
      kind: "too-large",
    });
    const whole = await decodeContent(body, contentCodings(header), zeros.byteLength);
    expect(whole.byteLength).toBe(zeros.byteLength);
  });
});
