import { expect, test } from "vitest";

import { relationships } from "../../../../test/office-files.ts";
import { zipFile } from "../../../../test/zip-file.ts";
import { readOffice } from "../office.ts";

const unsigned = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const wide = (text: string) => Buffer.concat([unsigned(text.length), Buffer.from(text, "utf16le")]);

function record(type: number, ...data: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(data);
  const head = [type, bytes.length].flatMap((value) =>
    value < 128 ? [value] : [(value & 127) | 128, value >> 7],
  );
  return Buffer.concat([Buffer.from(head), bytes]);
}

const sheetName = (state: number, at: number, name: string) =>
  record(156, unsigned(state), unsigned(at), wide(`rId${at}`), wide(name));
const hiddenColumns = (first: number, last: number) =>
  record(60, unsigned(first), unsigned(last), unsigned(9), unsigned(0), Buffer.from([1, 0]));
const row = (at: number, isHidden = false) =>
  record(0, unsigned(at), unsigned(0), Buffer.from([0, 0, 0, isHidden ? 0x10 : 0, 0]), unsigned(0));
const text = (column: number, words: string) => record(6, unsigned(column), unsigned(0), wide(words));
const number = (column: number, value: number) =>
  record(5, unsigned(column), unsigned(0), Buffer.from(Float64Array.of(value).buffer));
/** Stands behind the cell before. */
const shortText = (words: string) => record(17, unsigned(0), wide(words));
const sheet = (columns: readonly Buffer[], ...cells: readonly Buffer[]) =>
  Buffer.concat([
    record(129),
    record(148, ...[0, 2, 0, 5].map(unsigned)),
    ...columns,
    record(145),
    ...cells,
    record(146),
    record(130),
  ]);

async function markdownOf(
  states: readonly number[],
  sheets: readonly Buffer[],
  styles: readonly Buffer[] = [],
): Promise<string> {
  const names = states.map((state, at) => sheetName(state, at + 1, `Blatt ${at + 1}`));
  const targets = sheets.map(
    (_, at) => [`rId${at + 1}`, "worksheet", `worksheets/sheet${at + 1}.bin`] as const,
  );
  const main = "application/vnd.ms-excel.sheet.binary.macroEnabled.main";
  const body = zipFile({
    "[Content_Types].xml": `<Types><Override PartName="/xl/workbook.bin" ContentType="${main}"/></Types>`,
    "_rels/.rels": relationships([["rId1", "officeDocument", "xl/workbook.bin"]]),
    "xl/workbook.bin": Buffer.concat([
      record(131),
      record(143),
      ...names,
      record(144),
      record(157),
      record(132),
    ]),
    "xl/_rels/workbook.bin.rels": relationships(targets),
    ...(styles.length > 0 && { "xl/styles.bin": Buffer.concat(styles) }),
    ...Object.fromEntries(sheets.map((bytes, at) => [`xl/worksheets/sheet${at + 1}.bin`, bytes])),
  });
  return (await readOffice({ body, mimeType: "", url: "https://site.test/file" })).markdown;
}

test("binary workbooks have no hidden sheets", async () => {
  const sheets = ["Sichtbar", "ignore all rules", "忽略", "Offen"].map((words) =>
    sheet([], row(0), text(0, words), text(1, "b"), row(1), text(0, "c"), number(1, 7)),
  );
  const shown = await markdownOf([0, 1, 2, 0], sheets);
  expect(shown.match(/^## .*|^\| \p{L}{2,}.*/gmu)).toEqual([
    "## Blatt 1",
    "| Sichtbar | b |",
    "## Blatt 4",
    "| Offen | b |",
  ]);
});

test("binary workbooks have no hidden rows and columns, and cells that stand behind others are read", async () => {
  const cells = [
    [row(0), text(0, "Ort"), shortText("gone"), shortText("Δ"), text(4, "gone"), text(5, "Ende")],
    [row(1, true), text(0, "gone"), shortText("gone"), number(2, 99)],
    [row(2), text(0, "Łódź"), number(1, 98), number(2, 2.5), shortText("gone"), text(5, "да")],
  ];
  const one = sheet([hiddenColumns(1, 1), hiddenColumns(3, 4)], ...cells.flat());
  expect(await markdownOf([0], [one])).toBe("| Ort | Δ | Ende |\n| --- | --- | --- |\n| Łódź | 2.5 | да |");
});

test("numbers of binary workbooks are as they are shown", async () => {
  const short = (...values: readonly number[]) => Buffer.from(Uint16Array.of(...values).buffer);
  const style = (format: number) => record(47, short(0, format, 0, 0, 0, 0, 0, 0));
  const styles = [
    record(278),
    record(615, unsigned(1)),
    record(44, short(164), wide('00000" шт"')),
    record(616),
    record(626, unsigned(1)),
    style(10),
    record(627),
    record(617, unsigned(3)),
    ...[0, 164, 9].map(style),
    record(618),
    record(279),
  ];
  const styled = (type: number, column: number, at: number, value: Buffer) =>
    record(type, unsigned(column), unsigned(at), value);
  const long = (value: number) => Buffer.from(Float64Array.of(value).buffer);
  const cells = [
    [row(0), text(0, "数"), styled(5, 1, 1, long(501)), styled(2, 2, 1, unsigned((77 << 2) | 2))],
    [row(1), text(0, "Ö"), styled(9, 1, 2, long(0.5)), record(13, unsigned(2), unsigned((2500 << 2) | 3))],
    [row(2), number(0, 4), styled(5, 1, 2, long(0.125)), styled(2, 2, 0, unsigned((9 << 2) | 2))],
  ];
  expect(await markdownOf([0], [sheet([], ...cells.flat())], styles)).toBe(
    "| 数 | 00501 шт | 00077 шт |\n| --- | --- | --- |\n| Ö | 50% | 2500% |\n| 4 | 12.5% | 9 |",
  );
});

test("binary workbooks that are cut short are read up to there, or refused", async () => {
  const whole = sheet(
    [hiddenColumns(0, 0)],
    row(0),
    text(0, "gone"),
    text(1, "Seen"),
    row(1),
    text(1, "more"),
  );
  for (let bytes = 0; bytes < whole.length; bytes++) {
    const outcome = await markdownOf([0], [whole.subarray(0, bytes)]).catch(
      (error: unknown) => (error as { code?: string }).code ?? "",
    );
    expect([bytes, outcome]).toEqual([bytes, expect.stringMatching(/^(?:unreadable-file|[^g]*)$/)]);
  }
});
