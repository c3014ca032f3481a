import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

import { expect, test } from "vitest";

import {
  docxFile,
  epubFile,
  odtFile,
  pptxFile,
  wordParagraph,
  xlsxFile,
} from "../../../test/office-files.ts";
import { zipFile } from "../../../test/zip-file.ts";
import { readOffice } from "./office.ts";

/** Pages and pictures have readers and tests of their own; nothing here writes the others. */
const ELSEWHERE = ["pdf", "png", "jpeg", "jp2", "tiff", "gif", "webp", "avif", "bmp", "msg", "xlsb"];

const fileOf = (name: string) => new URL(`../../../${name}`, import.meta.url);
const old = JSON.parse(readFileSync(fileOf("test/old-office-files.json"), "utf8")) as Record<string, string>;
const oldFile = (name: string) => brotliDecompressSync(Buffer.from(old[name] ?? "", "base64"));
const word = docxFile(
  wordParagraph("seen") +
    wordParagraph("<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>") +
    wordParagraph("<w:del><w:r><w:delText>secret</w:delText></w:r></w:del>"),
);
const secretRow = '<row r="9" hidden="1"><c r="A9" t="inlineStr"><is><t>secret</t></is></c></row>';
const sheet = xlsxFile({ First: { A1: "seen" } }, [], secretRow);
const slides = pptxFile([{ title: "seen", lines: ["seen"] }]);
const outputs = [
  { output_type: "display_data", data: { "image/png": "secret" } },
  { output_type: "stream", text: "seen" },
];
const page = `<nav><a href="/">secret</a></nav><main><h1>Tides</h1><p>${"seen and gone. ".repeat(20)}</p></main>`;
const named = (kind: string) =>
  `<text:section text:name="s" text:display="none"><text:p>secret</text:p></text:section><text:p>seen in ${kind}</text:p>`;
const MAIL = "message/rfc822";

/** A file of each kind, with the word "seen", and "secret" in what is left out. */
const FILES: Readonly<Record<string, readonly [body: Buffer, mimeType?: string]>> = {
  docx: [word],
  docm: [word],
  odt: [odtFile(named("odt"))],
  doc: [oldFile("doc")],
  rtf: [Buffer.from(String.raw`{\rtf1\ansi seen {\v secret}{\deleted secret}\par}`)],
  epub: [epubFile("Book", ["<p>seen</p>"])],
  xlsx: [sheet],
  xlsm: [sheet],
  ods: [odsFile()],
  xls: [oldFile("xls-rows")],
  csv: [Buffer.from("seen;b\n1;2"), "text/csv"],
  tsv: [Buffer.from("seen\tb\n1\t2"), "text/tab-separated-values"],
  pptx: [slides],
  pptm: [slides],
  ppt: [oldFile("ppt")],
  eml: [
    Buffer.from(
      'From: a@x.test\r\nSubject: seen\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nseen\r\n--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename="list.csv"\r\n\r\nsecret\r\n--b--',
    ),
    MAIL,
  ],
  mhtml: [
    Buffer.from(
      `From: <Saved by Blink>\r\nSnapshot-Content-Location: https://a.test/\r\nContent-Type: text/html\r\n\r\n${page}`,
    ),
    MAIL,
  ],
  ipynb: [
    Buffer.from(JSON.stringify({ cells: [{ cell_type: "code", source: "f()", outputs }], nbformat: 4 })),
  ],
  zip: [
    zipFile({ "a.csv": "seen,b\n1,2", "in.zip": zipFile({ "b.csv": "secret,b" }) }),
    "application/x-zip-compressed",
  ],
};

const rows = readFileSync(fileOf("docs/documents.md"), "utf8").matchAll(/^\| ([a-z0-9 ]+) \| /gm);
const kinds = [...rows].flatMap(([, names = ""]) => names.split(" "));

test("the documentation names each kind once", () => {
  expect(kinds.toSorted()).toEqual([...Object.keys(FILES), "odp", ...ELSEWHERE].toSorted());
});

test.each(Object.entries(FILES))(
  "%s keeps what is shown, and no more",
  async (_kind, [body, mimeType = ""]) => {
    const { markdown } = await readOffice({ body, mimeType, url: "https://a.test/file" });
    expect(markdown).toMatch(/seen|North|Welcome/i);
    expect(markdown).not.toMatch(/secret|hidden/i);
  },
);

function odsFile(): Buffer {
  const names = "urn:oasis:names:tc:opendocument:xmlns";
  const row = (text: string, more = "") =>
    `<table:table-row${more}><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`;
  const body = `<table:table table:name="S">${row("seen")}${row("secret", ' table:visibility="collapse"')}</table:table>`;
  return zipFile({
    mimetype: "application/vnd.oasis.opendocument.spreadsheet",
    "content.xml": `<office:document-content xmlns:office="${names}:office:1.0" xmlns:text="${names}:text:1.0" xmlns:table="${names}:table:1.0"><office:body><office:spreadsheet>${body}</office:spreadsheet></office:body></office:document-content>`,
  });
}
