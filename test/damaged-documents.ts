import { SQUARES_JP2 } from "./jpeg-2000-pictures.ts";
import { docxFile, epubFile, odtFile, pptxFile, wordParagraph, wordTable, xlsxFile } from "./office-files.ts";
import { oleFile } from "./ole-file.ts";
import { drawText } from "./text-picture.ts";

/** Enough to be read; recognising its letters is not what is tried here. */
const SMALL = { width: 40, height: 30, lines: [], fontPx: 8 };
const ABSURD = ["9999999999", "-1", "0", "65535", "4294967295", '"', "<", "&#0;", "\u0000", "]]>"];

/** A file as a server sends it. */
export interface DocumentFile {
  readonly body: Buffer;
  readonly contentType: string;
}

const UNTOLD = "application/octet-stream";

/** Whole files of each sort. What a number in their text is, is made of the seed. */
async function samples(damage: (text: string) => string): Promise<readonly DocumentFile[]> {
  const text = damage(wordParagraph("Words and 12 words") + wordTable([["a", "b"]]));
  const office = [
    docxFile(text),
    xlsxFile({ [damage("Sales 1")]: { A1: damage("a 12"), B2: 12 } }, [damage("A1:B2")]),
    pptxFile([{ title: damage("Start 1"), lines: [damage("Words 2")], notes: "Say" }]),
    odtFile(
      damage(
        '<text:p>Words</text:p><table:table><table:table-row><table:table-cell table:number-columns-repeated="3"/></table:table-row></table:table>',
      ),
    ),
    epubFile(damage("Book 1"), [damage("<h1>One</h1><table><tr><td colspan='2'>a</td></tr></table>")]),
    Buffer.from(damage("{\\rtf1 \\u1234? \\bin12 {\\b words}\\trowd\\cellx100 a\\cell\\row}")),
    oleFile(["WordDocument", "1Table"]),
    oleFile(["Workbook"]),
  ].map((body) => ({ body, contentType: UNTOLD }));
  const csv = { body: Buffer.from(damage('a,"b",12\n1,2\n')), contentType: "text/csv" };
  const picture = drawText(SMALL);
  const pictures = [
    picture.png(),
    picture.clone().jpeg(),
    picture.clone().tiff(),
    picture.clone().gif(),
    picture.clone().webp(),
  ];
  const bodies = [...(await Promise.all(pictures.map((one) => one.toBuffer()))), SQUARES_JP2];
  return [...office, csv, ...bodies.map((body) => ({ body, contentType: "image/png" }))];
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function damageText(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const absurd = ABSURD[Math.floor(random() * ABSURD.length)] ?? "";
  return random() < 0.5 ? text.replace(/\d+/, absurd) : text.slice(0, at) + absurd + text.slice(at + 3);
}

/** Flips bits, cuts the end off, or puts a piece elsewhere. */
function damageBytes(body: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * body.length);
  const way = random();
  if (way < 0.3) return body.subarray(0, at);
  const damaged = Buffer.from(body);
  if (way < 0.6) body.copy(damaged, at, Math.floor(random() * body.length));
  else
    for (let flips = 0; flips < 8; flips++) damaged[Math.floor(random() * body.length)]! ^= 1 << (flips % 8);
  return damaged;
}

/** A damaged file that is no PDF; the same for the same seed. */
export async function damagedDocument(seed: number): Promise<DocumentFile> {
  const random = randomOf(seed);
  const isInside = random() < 0.5;
  const all = await samples((text) => (isInside ? damageText(text, random) : text));
  const { body, contentType } = all[seed % all.length] as DocumentFile;
  return { body: isInside ? body : damageBytes(body, random), contentType };
}
