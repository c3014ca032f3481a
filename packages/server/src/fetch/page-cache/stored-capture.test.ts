import { describe, expect, test } from "vitest";

import type { Capture } from "../capture.ts";
import { decodeCapture, encodeCapture } from "./stored-capture.ts";

const body = new TextEncoder().encode("<p>The same words again.</p>".repeat(1_000));
const capture: Capture = {
  requestedUrl: "http://site.test/ü",
  url: "https://site.test/%C3%BC",
  statusCode: 404,
  reason: "Not Found",
  headers: { "content-type": "text/html; charset=utf-8", "x-strange": 'naïve "quoted"' },
  contentType: "text/html; charset=utf-8",
  body,
  engine: "http",
  proxyUsed: "stealth",
  capturedAtMs: 1_900_000_000_000,
  timezone: "Europe/Vienna",
};

async function roundTrip(original: Capture): Promise<Capture | undefined> {
  const decoded = await decodeCapture(await encodeCapture(original));
  return decoded && { ...decoded, body: Uint8Array.from(decoded.body) };
}

describe("a stored capture", () => {
  test("reads back as it was", async () => {
    expect(await roundTrip(capture)).toEqual(capture);
  });

  test("reads back as it was, however large", async () => {
    for (const size of [511, 32 * 1024, 32 * 1024 + 1]) {
      const sized = { ...capture, body: Uint8Array.from({ length: size }, (_, index) => index % 7) };
      expect(await roundTrip(sized)).toEqual(sized);
    }
  });

  test("reads back without what it did not have", async () => {
    const { timezone: _, ...rest } = capture;
    const bare: Capture = { ...rest, contentType: undefined, headers: {}, body: new Uint8Array() };
    expect(await roundTrip(bare)).toStrictEqual(bare);
  });

  test("does not say what the body was found to be: later versions may know better", async () => {
    const found: Capture = { ...capture, file: { kind: "html", mimeType: "text/html" } };
    expect(await roundTrip(found)).toEqual(capture);
  });

  test("takes far less room than a page", async () => {
    expect((await encodeCapture(capture)).byteLength).toBeLessThan(body.byteLength / 10);
  });

  test.each(["image/png", "application/pdf", "font/woff2", "application/zip", "video/mp4"])(
    "is not compressed again when it is %s",
    async (contentType) => {
      const stored = await encodeCapture({ ...capture, contentType });
      expect(Buffer.from(stored).includes(Buffer.from(body))).toBe(true);
      expect(await roundTrip({ ...capture, contentType })).toEqual({ ...capture, contentType });
    },
  );

  test.each(["image/svg+xml", "text/plain", "application/json", "application/xhtml+xml"])(
    "is compressed when it is %s",
    async (contentType) => {
      expect((await encodeCapture({ ...capture, contentType })).byteLength).toBeLessThan(
        body.byteLength / 10,
      );
    },
  );
});
