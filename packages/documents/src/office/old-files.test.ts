import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";

import { readOffice } from "../office.ts";

const url = "https://site.test/files/report";

/** Files that LibreOffice 7.4 wrote, and SheetJS 0.18 one, compressed. Each has hidden parts. */
const FILES = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL("../../../../test/old-office-files.json", import.meta.url), "utf8")),
  ).map(([name, packed]) => [name, brotliDecompressSync(Buffer.from(String(packed), "base64"))]),
);

async function read(body: Uint8Array, mimeType = ""): Promise<string> {
  return (await readOffice({ body, mimeType, url })).markdown;
}

describe("a file from before 2007", () => {
  test.each([
    ["doc", "# Report\n\nSeen words.\n\nEnd."],
    ["doc-title", "# Harbour notes\n\nBoats come in at dawn.\n\n# Moorings\n\nTwo on each side."],
    ["ppt", "Welcome all\n\nGoodbye all"],
  ])("has nothing of what is hidden, and no comments: %s", async (name, markdown) => {
    expect(await read(FILES.get(name) ?? Buffer.of())).toBe(markdown);
  });

  test("has no hidden sheets", async () => {
    const markdown = await read(FILES.get("xls") ?? Buffer.of());
    expect(markdown).toContain("| North |");
    expect(markdown).not.toMatch(/Secret|HIDDENSHEET|COMMENTED/);
  });

  test("has no hidden rows and columns, whatever their cells hold", async () => {
    const markdown = await read(FILES.get("xls-rows") ?? Buffer.of());
    expect(markdown).toBe(
      "## Sales\n\n| Region | Ships | Crew |\n| --- | --- | --- |\n| North | 12 | 40 |\n| South | 15 | 42 |\n\n" +
        "## Other\n\n| Port | Depth |\n| --- | --- |\n| Old | 7 |",
    );
  });

  test("has its numbers as they are shown, with digits that a format drops", async () => {
    const rows = ["北京 | 7.5% | 7.5%", "Łódź | 00501 | 00501", "Rate | 1,234.50 € | 1,234.50 €"];
    rows.push(
      "Debt | $(5.25) | $(5.25)",
      "Kept | 1234.5678 | 1234.5678",
      "Plain | 3.5 | 3.5",
      "Sum | 15% | 22.5%",
    );
    const [head = "", ...others] = rows.map((row) => `| ${row} |`);
    expect(await read(FILES.get("xls-numbers") ?? Buffer.of())).toBe(
      [head, "| --- | --- | --- |", ...others].join("\n"),
    );
  });

  test("has no numbers of slides among its notes", async () => {
    expect(await read(FILES.get("ppt-notes") ?? Buffer.of())).toBe("## Гавань\n\n> 说慢点 * *");
  });

  test("is read by its type where its bytes do not tell the parser what it is", async () => {
    const markdown = await read(FILES.get("xls-cells") ?? Buffer.of(), "application/vnd.ms-excel");
    expect(markdown).toBe(
      "## Sales\n\n| Region | Crew |\n| --- | --- |\n| North | 40 |\n| South | 42 |\n\n" +
        "## Other\n\n| Port | Depth |\n| --- | --- |\n| Old | 7 |",
    );
  });

  test("has its tables of slides, with merged cells", async () => {
    expect(await read(FILES.get("ppt-table") ?? Buffer.of())).toBe(
      "Гавани\n\n| 港 | Depth |  |\n| --- | --- | --- |\n| Łeba | 7 | deep<br>cold |\n|  |  | 9 |",
    );
  });

  test("that is cut short is read or refused, not mended", async () => {
    for (const [name, whole] of FILES)
      for (const part of [0.2, 0.5, 0.8, 0.97]) {
        const bytes = whole.subarray(0, whole.length * part);
        const outcome = await read(bytes).catch((error: unknown) => (error as { code?: string }).code);
        expect([name, part, outcome]).not.toEqual([name, part, undefined]);
        expect([name, part, outcome]).not.toEqual([name, part, "ERR_OUT_OF_RANGE"]);
      }
  });
});

test.each([
  ["a run", String.raw`Seen {\v gone }words`, "Seen words"],
  ["a run that ends by itself", String.raw`Seen \v gone \v0 words`, "Seen words"],
  ["what is plain again", String.raw`Seen \v gone\plain  words`, "Seen words"],
  ["characters by their numbers", String.raw`Seen {\v \u1057?\'e9\emdash }words`, "Seen words"],
  ["what inherits it", String.raw`Seen {\v a {\b b} c}words`, "Seen words"],
  ["escaped braces, which open no group", String.raw`Seen {\v \{ a }words \{b\}`, "Seen words {b}"],
  ["bytes of a picture", String.raw`Seen {\*\shppict{\pict\bin3 }}}{}}{\v gone}words`, "Seen words"],
  ["what a tracked change deletes", String.raw`Seen {\deleted gone}words`, "Seen words"],
  ["a comment", String.raw`Seen {\*\atnauthor Ann}{\*\annotation gone}words`, "Seen words"],
])("rich text is read without what is hidden: %s", async (_what, text, shown) => {
  expect(await read(Buffer.from(String.raw`{\rtf1\ansi ${text}\par}`))).toBe(shown);
});

test("headings of rich text are told by their styles' names, and bold lines beside them stay bold", async () => {
  const styles = String.raw`{\stylesheet{\s0 Normal;}{\s7\sbasedon0\b\dbch\af9 Title;}{\s12\fs28\loch\f6 heading 2,Titre 2;}{\s3\fs24 Contents Heading 1;}}`;
  const text = String.raw`\pard\s7 Jardins\par\pard\plain\s3 \b Sommaire\par\pard\plain C:\\s7 \par\pard\s12 \u1057?\u1072?\u1076?\par\pard\s0 Fin.\par`;
  expect(await read(Buffer.from(String.raw`{\rtf1\ansi ${styles}${text}}`))).toBe(
    "# Jardins\n\n**Sommaire**\n\nC:\\s7\n\n## Сад\n\nFin.",
  );
});
