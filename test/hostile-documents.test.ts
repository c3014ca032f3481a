import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { docxFile, epubFile, odtFile, wordParagraph, wordTable, xlsxFile } from "./office-files.ts";
import { useWorld } from "./use-world.ts";
import { zipFile } from "./zip-file.ts";

const world = useWorld({ TEAM_CONCURRENCY: "off" });

const TIMEOUT_MS = 20_000;
/** Beyond it an answer is late. */
const LATE_MS = 10_000;
const MEGABYTE = 1024 * 1024;
/** Below the first: all that a sheet has. */
const ROWS = 1_048_575;
const entities = (targets: readonly string[]) =>
  `<!DOCTYPE x [${targets.map((target, index) => `<!ENTITY e${index} SYSTEM "${target}">`).join("")}]>`;

/** Made only when it is its turn: some are large. */
const files: Readonly<Record<string, () => Buffer>> = {
  "a document that inflates": () => docxFile(wordParagraph("x".repeat(200 * MEGABYTE))),
  "tables within tables": () => {
    const [start = "", end = ""] = wordTable([["#"]]).split("#");
    return docxFile(start.repeat(20_000) + end.repeat(20_000));
  },
  "half a million paragraphs": () => docxFile(wordParagraph("w").repeat(500_000)),
  "a cell far away": () => xlsxFile({ Far: { A1: 1, XFD1048576: 1 } }),
  "a sheet that is one cell": () => xlsxFile({ Whole: { A1: 1 } }, ["A1:XFD1048576"]),
  "a million rows that only have a height": () =>
    xlsxFile(
      { Rows: { A1: 1 } },
      [],
      Array.from({ length: ROWS }, (_, at) => `<row r="${at + 2}" ht="30"/>`).join(""),
    ),
  "equations within equations": () => {
    const [start, end] = ["<m:sSup><m:e>".repeat(20_000), "</m:e></m:sSup>".repeat(20_000)];
    const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
    return docxFile(`<w:p><m:oMath ${math}>${start}<m:r><m:t>x</m:t></m:r>${end}</m:oMath></w:p>`);
  },
  "a notebook that printed a hundred megabytes": () =>
    Buffer.from(
      JSON.stringify({
        cells: [
          {
            cell_type: "code",
            source: "p()",
            outputs: [{ output_type: "stream", text: "x".repeat(100 * MEGABYTE) }],
          },
        ],
        nbformat: 4,
      }),
    ),
  "archives within archives": () => {
    let archive = zipFile({ "a.csv": "a,b" });
    for (let depth = 0; depth < 100; depth += 1) archive = zipFile({ "a.zip": archive, "a.csv": "a,b" });
    return archive;
  },
  "mails within mails": () => {
    let mail = "From: a@x.test\r\nSubject: s\r\n\r\nInnermost.";
    for (let depth = 0; depth < 100; depth += 1)
      mail = `From: a@x.test\r\nSubject: s\r\nContent-Type: message/rfc822\r\n\r\n${mail}`;
    return Buffer.from(mail);
  },
  "cells without end": () =>
    odtFile(
      '<table:table><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>1</text:p></table:table-cell></table:table-row></table:table>',
    ),
  "groups within groups": () => Buffer.from(`{\\rtf1 ${"{\\b ".repeat(3_000_000)}`),
  "a book of many chapters": () =>
    epubFile(
      "Book",
      Array.from({ length: 5000 }, () => "<p>c</p>"),
    ),
  "an archive of many files": () =>
    zipFile(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`word/${index}.xml`, "x"]))),
  "a table of one line": () => Buffer.from(`a,${"b,".repeat(10 * MEGABYTE)}`),
};

test.each(Object.keys(files))(
  "%s becomes text or a refusal in time, and a good one is read after it",
  async (name) => {
    const { body: answer, tookMs } = await scrape(name, files[name]?.() ?? Buffer.alloc(0));
    expect([undefined, ...REFUSALS]).toContain(answer.code);
    expect(tookMs).toBeLessThan(TIMEOUT_MS + LATE_MS);
    const good = await scrape("good", docxFile(wordParagraph("A good one.")));
    expect(good.body.data.markdown).toBe("A good one.");
  },
  90_000,
);

test("entities of documents name no files and no addresses", async () => {
  const targets = ["file:///etc/passwd", world.site.url("/entity")];
  const parts = {
    "word/document.xml": `<?xml version="1.0"?>${entities(targets)}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&e0;&e1;</w:t></w:r></w:p></w:body></w:document>`,
  };
  const { body } = await scrape("entities", docxFile("", parts));
  const secret = (await readFile("/etc/passwd", "utf8")).split("\n")[0] ?? "root";
  expect(JSON.stringify(body)).not.toContain(secret);
  expect(world.site.hits("/entity")).toEqual([]);
});

const REFUSALS = ["SCRAPE_UNSUPPORTED_FILE_ERROR", "SCRAPE_TIMEOUT", "SCRAPE_SITE_ERROR"];

async function scrape(name: string, file: Buffer) {
  const url = world.site.page(`/${encodeURIComponent(name)}`, (_request, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(file);
  });
  const startMs = performance.now();
  const { body } = await world.scrape({ url, timeout: TIMEOUT_MS, maxAge: 0 });
  return { body, tookMs: performance.now() - startMs };
}
