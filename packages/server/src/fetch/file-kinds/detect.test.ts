import { describe, expect, test } from "vitest";

import { docxFile, epubFile, odtFile, pptxFile, xlsxFile } from "../../../../../test/office-files.ts";
import { oleFile } from "../../../../../test/ole-file.ts";
import { zipFile } from "../../../../../test/zip-file.ts";
import { kindNamed, kinds } from "./all.ts";
import { detectFile } from "./detect.ts";
import { defineKind } from "./kind.ts";

const PNG = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
const ZIP = "PK\x03\x04\x14\0\0\0\x08\0";
const NOWHERE = "https://site.test/file";

const detect = (body: string, contentType?: string, url = NOWHERE) =>
  detectFile(Buffer.from(body, "latin1"), contentType, url);

describe("the kind of a file", () => {
  test.each([
    ["text/html; charset=utf-8", "html"],
    ["APPLICATION/XHTML+XML", "html"],
    ["application/json", "text"],
    ["application/problem+json", "text"],
    ["application/rss+xml; charset=utf-8", "feed"],
    ["image/svg+xml", "text"],
    ["text/markdown", "text"],
    ["text/css", "text"],
    ["text/calendar", "text"],
    ["application/toml", "text"],
    ["application/pdf", "pdf"],
    ["image/webp", "image"],
    ["text/csv", "office"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "office"],
    ["application/vnd.oasis.opendocument.spreadsheet", "office"],
    ["application/vnd.oasis.opendocument.text+xml", "text"],
    ["video/mp4", "unsupported"],
    ["font/woff2", "unsupported"],
    ["nonsense", "unsupported"],
  ])("of type %s is %s", async (contentType, kind) => {
    const mimeType = contentType.split(";", 1)[0]?.toLowerCase();
    expect(await detect("words", contentType)).toEqual({ kind, mimeType });
  });

  test.each([
    ["a PDF that claims to be a page", "%PDF-1.7 …", "text/html", "pdf", "application/pdf"],
    ["a picture that claims to be a PDF", PNG, "application/pdf", "image", "image/png"],
    ["an archive that claims to be a picture", ZIP, "image/png", "unsupported", "application/zip"],
    ["a page of no type", "\n <!DOCTYPE html><p>Words", undefined, "html", "text/html"],
    ["a fragment of no type", "<article class=a>Words", "", "html", "text/html"],
    ["XML of no type", '<?xml version="1.0"?><note/>', undefined, "text", "application/xml"],
    ["a feed of no type", '<?xml version="1.0"?><feed/>', undefined, "feed", "application/atom+xml"],
    ["a picture that is only to be downloaded", PNG, "application/octet-stream", "image", "image/png"],
    [
      "bytes of no type and no signature",
      "\0\x01\x02",
      "binary/octet-stream",
      "unsupported",
      "application/octet-stream",
    ],
    ["words of no type", "Words.", undefined, "text", "text/plain"],
    ["words in UTF-16, whose mark begins an MP3 frame", "\xff\xfeW\0o\0", undefined, "text", "text/plain"],
    ["a page in UTF-16", "\xfe\xff\0<\0h\0t\0m\0l\0>", undefined, "html", "text/html"],
    ["nothing of no type", "", undefined, "text", "text/plain"],
  ])("of %s is told by its bytes", async (_case, body, contentType, ...expected) => {
    expect(Object.values(await detect(body, contentType))).toEqual(expected);
  });

  test.each([
    ["report.csv", undefined, "office", "text/csv"],
    ["data.json?a=1", "application/octet-stream", "text", "application/json"],
    ["page.json", "text/html", "html", "text/html"],
  ])("at %s, declared as %s, is %s", async (path, contentType, kind, mimeType) => {
    expect(await detect("a,b", contentType, `https://site.test/${path}`)).toEqual({ kind, mimeType });
  });

  const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

  test.each([
    ["a Word document", docxFile(""), DOCX],
    ["a workbook", xlsxFile({ A: { A1: 1 } }), XLSX],
    [
      "a presentation",
      pptxFile([{ title: "A", lines: [] }]),
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ],
    ["an OpenDocument text", odtFile(""), "application/vnd.oasis.opendocument.text"],
    ["a book", epubFile("A", ["b"]), "application/epub+zip"],
    ["Rich Text", Buffer.from("{\\rtf1 a}"), "application/rtf"],
    ["an old Word document", oleFile(["\x05SummaryInformation", "WordDocument"]), "application/msword"],
    ["an old workbook", oleFile(["Workbook"]), "application/vnd.ms-excel"],
    ["an old presentation", oleFile(["PowerPoint Document"]), "application/vnd.ms-powerpoint"],
    ["a mail of Outlook", oleFile(["__properties_version1.0"]), "application/vnd.ms-outlook"],
    ["a notebook", Buffer.from('{"cells": [], "nbformat": 4}'), "application/x-ipynb+json"],
    ["an archive of documents", zipFile({ "a/b.csv": "1" }), "application/x-zip-compressed"],
    ["an encrypted document", oleFile(["EncryptedPackage"]), "application/vnd.openxmlformats-officedocument"],
  ])("of %s is told by what is in it, whatever the server says", async (_what, body, mimeType) => {
    for (const contentType of ["text/html", "application/pdf", "application/zip", undefined])
      expect(await detectFile(body, contentType, NOWHERE)).toEqual({ kind: "office", mimeType });
  });

  test.each([
    ["a list of values", "a;b", "application/vnd.ms-excel", "text/csv"],
    ["a page", "<html><table>", "application/vnd.ms-excel", "text/html"],
    ["plain text", "words", "application/msword", "text/plain"],
  ])(
    "of %s that is named after a program is told by its text",
    async (_what, body, contentType, expected) => {
      expect((await detect(body, contentType)).mimeType).toBe(expected);
    },
  );

  test.each([
    ["an archive of other things", zipFile({ "a.txt": "words" }), "application/zip"],
    [
      "a drawing",
      zipFile({ mimetype: "application/vnd.oasis.opendocument.graphics" }),
      "application/vnd.oasis",
    ],
    ["a compound file of another program", oleFile(["Scores"]), "application/x-cfb"],
    ["a damaged compound file", oleFile(["WordDocument"]).subarray(0, 600), "application/x-cfb"],
  ])("of %s is unsupported", async (_what, body, mimeType) => {
    const file = await detectFile(body, "application/msword", NOWHERE);
    expect(file).toEqual({ kind: "unsupported", mimeType: expect.stringContaining(mimeType) });
  });

  test("of text at an address that is none is text", async () => {
    expect(await detect("words", undefined, "nowhere")).toEqual({ kind: "text", mimeType: "text/plain" });
  });
});

describe("the table of kinds", () => {
  test("names each kind once, and gives each type to one", () => {
    const names = kinds.map(({ name }) => name);
    const types = kinds.flatMap(({ recognisedBy }) => recognisedBy.types);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(types).size).toBe(types.length);
  });

  test("has a kind for every type there may be", async () => {
    for (const type of ["x/y", "application/zip", "?", "multipart/form-data"]) {
      expect((await detect(ZIP, type)).kind).toBe("unsupported");
    }
  });

  test("is told when it is asked for a kind that it lacks", () => {
    expect(() => kindNamed("hologram")).toThrow("Unknown kind of file: hologram.");
  });
});

describe("a kind that one object adds", () => {
  const hologram = defineKind({
    name: "hologram",
    recognisedBy: {
      types: ["application/x-hologram"],
      family: /^hologram\//,
      magic: { bytes: "HOLO", type: "application/x-hologram" },
      opening: { pattern: /^beam/, type: "hologram/text" },
      isBinary: false,
    },
    inBrowser: "not-shown",
    read: () => ({}),
  });

  test.each([
    ["by its type", "words", "application/x-hologram"],
    ["by its family", "words", "hologram/large"],
    ["by its first bytes, whatever the server says", "HOLO…", "text/html"],
    ["by how it opens", "Beam me up", undefined],
  ])("is recognised %s", async (_how, body, contentType) => {
    const table = [hologram, ...kinds];
    const file = await detectFile(Buffer.from(body), contentType, NOWHERE, table);
    expect(file.kind).toBe("hologram");
    expect(kindNamed(file.kind, table)).toBe(hologram);
    expect((await detect(body, contentType)).kind).not.toBe("hologram");
  });
});
