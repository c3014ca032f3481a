import { describe, expect, test } from "vitest";

import { fileTypes, hasKnownExtension, refuseUnknownFile, refuseUnknownName } from "./file-types.ts";

const PDF = Buffer.from("%PDF-1.7\n");
const ARTICLE = Buffer.from("<article><front/></article>");
const ZIP = Buffer.from("PK\u{3}\u{4}no document");

describe("a file that is sent", () => {
  test.each([
    ["by its name", "report.PDF", undefined],
    ["by the last of its endings", "archive.tar.docx", undefined],
    ["by its type", "blob", "application/pdf"],
    ["by its type with parameters, in capitals", "blob", "Text/HTML; charset=utf-8"],
  ])("is accepted %s", async (_how, name, contentType) => {
    expect(() => refuseUnknownName({ name, contentType })).not.toThrow();
    await expect(refuseUnknownFile(ZIP, { name, contentType })).resolves.toBeUndefined();
  });

  test("is accepted by its bytes where its labels say nothing", async () => {
    for (const body of [PDF, ARTICLE])
      await expect(
        refuseUnknownFile(body, { name: "blob", contentType: undefined }),
      ).resolves.toBeUndefined();
    await expect(
      refuseUnknownFile(PDF, { name: "x.bin", contentType: "application/octet-stream" }),
    ).resolves.toBeUndefined();
  });

  test.each([
    ["an archive", "a.tar", "application/zip"],
    ["a program", "a.exe", undefined],
    ["a name without an ending", "pdf", undefined],
    ["a name that ends in a dot", "a.pdf.", undefined],
    ["no name", "", undefined],
  ])("is refused, with what can be sent: %s", async (_what, name, contentType) => {
    expect(() => refuseUnknownName({ name, contentType })).toThrow(
      /Supported file extensions: \.html, .*\.pdf/,
    );
    await expect(refuseUnknownFile(ZIP, { name, contentType })).rejects.toThrow("Unsupported upload type.");
  });

  test("has an ending that one line of the table alone names", () => {
    const extensions = fileTypes.flatMap((type) => type.extensions);
    expect(new Set(extensions).size).toBe(extensions.length);
    expect(extensions.every(hasKnownExtension)).toBe(true);
    const types = fileTypes.flatMap(({ mimeTypes }) => mimeTypes);
    expect(types.every((type) => type === type.toLowerCase())).toBe(true);
  });
});
