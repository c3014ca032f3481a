import { describe, expect, test } from "vitest";

import { decodeBody } from "./decode.ts";

/** "Привет" in windows-1251. */
const RUSSIAN = Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2);
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

function bytes(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
}

describe("where the charset comes from", () => {
  test.each([
    "text/html; charset=windows-1251",
    'text/html;CHARSET="Windows-1251"',
    "text/html; a=b; charset = cp1251 ; c",
  ])("the content type %s", (contentType) => {
    expect(decodeBody(RUSSIAN, contentType)).toBe("Привет");
  });

  test.each([
    '<meta charset="windows-1251">',
    "<META content='text/html; charset=windows-1251' http-equiv=Content-Type>",
    `<!-- ${"x".repeat(4000)} --><meta charset=cp1251>`,
  ])("the page's own meta", (meta) => {
    expect(decodeBody(bytes(meta, RUSSIAN), "text/html")).toBe(`${meta}Привет`);
  });

  test("the content type goes before the meta", () => {
    const body = bytes("<meta charset=koi8-r>", RUSSIAN);
    expect(decodeBody(body, "text/html; charset=windows-1251")).toContain("Привет");
  });

  test("a byte order mark goes before the meta and is no text", () => {
    const body = bytes(BOM, "<meta charset=koi8-r>", Buffer.from("é"));
    expect(decodeBody(body, undefined)).toBe("<meta charset=koi8-r>é");
  });

  test("the content type goes before the byte order mark", () => {
    expect(decodeBody(bytes(BOM, RUSSIAN), "text/html; charset=windows-1251")).toContain("Привет");
  });

  test("an unknown label leaves it to the next source", () => {
    const body = bytes("<meta charset=windows-1251>", RUSSIAN);
    expect(decodeBody(body, "text/html; charset=none-such")).toContain("Привет");
    expect(decodeBody(Buffer.from("<meta charset=none-such>é"), "text/html; charset=none")).toContain("é");
  });

  test("otherwise UTF-8", () => {
    expect(decodeBody(Buffer.from("é日本"), undefined)).toBe("é日本");
    expect(decodeBody(Buffer.from("é日本"), "text/html")).toBe("é日本");
  });
});

test.each([
  ["windows-1252", [0x80, 0x93, 0xe9], "€“é"],
  ["iso-8859-1", [0x80, 0x93, 0xe9], "€“é"],
  ["shift_jis", [0x93, 0xfa, 0x96, 0x7b], "日本"],
  ["gb2312", [0xd6, 0xd0, 0xce, 0xc4], "中文"],
  ["euc-kr", [0xc7, 0xd1], "한"],
  ["big5", [0xa4, 0xa4], "中"],
  ["utf-16le", [0x41, 0x00, 0xac, 0x20], "A€"],
])("decodes %s", (label, body, text) => {
  expect(decodeBody(Uint8Array.from(body), `text/html; charset=${label}`)).toBe(text);
});

test("bytes that are no text become replacement characters", () => {
  expect(decodeBody(Uint8Array.of(0x61, 0xff, 0x62), "text/html; charset=utf-8")).toBe("a\uFFFDb");
  expect(decodeBody(new Uint8Array(), undefined)).toBe("");
});

test("reads a part of a larger buffer", () => {
  expect(decodeBody(bytes("xx", Buffer.from("é"), "yy").subarray(2, 4), undefined)).toBe("é");
});
