import { ownProperty } from "@pergamon-dev/kit/own-property";
import { oleStream, rewrittenStream } from "../archives/ole-streams.ts";
import { titleStyles, titlesToHeadings } from "./old-titles.ts";
import type { Formulas } from "../model/marks.ts";
import { shownSheets } from "./old-workbook.ts";
import { type SlideRecord, slideRecords, TEXTS } from "./slide-records.ts";

/** A file in a format from before 2007 without its hidden parts. Damaged files stay as they are. */
export function shownOldFile(body: Uint8Array, format: string, formulas: Formulas): Uint8Array {
  return ownProperty(REWRITERS, format)?.(body, formulas) ?? body;
}

const REWRITERS: Readonly<Record<string, (body: Uint8Array, formulas: Formulas) => Uint8Array>> = {
  rtf: shownRichText,
  doc: shownText,
  // The engine has one name for the workbooks of both times.
  xlsx: shownSheets,
  ppt: shownSlides,
};

const RICH_TEXT_PART =
  /\\bin(\d{1,9}) ?|\\([a-z]{1,32})(-?\d{1,10})? ?|\\'[0-9a-f]{2}|\\[^a-z]|[{}]|[\r\n]+|[^\\{}\r\n]+/giy;
/** Control words that stand for characters. */
const CHARACTER_WORD = /^(?:u|tab|line|(?:em|en)(?:dash|space)|bullet|[lr](?:dbl)?quote)$/;

/** Rich text without what is hidden (Rich Text Format 1.9.1, `\v`) and what tracked changes delete. */
function shownRichText(body: Uint8Array): Uint8Array {
  const source = withOutlineLevels(Buffer.from(body).toString("latin1"));
  if (!/\\(?:v|deleted)(?![a-z0])/.test(source)) return Buffer.from(source, "latin1");
  const around: ReadonlySet<string>[] = [];
  let marks: ReadonlySet<string> = new Set();
  let shown = "";
  RICH_TEXT_PART.lastIndex = 0;
  for (let part = RICH_TEXT_PART.exec(source); part; part = RICH_TEXT_PART.exec(source)) {
    const [text, binaryBytes, word, value] = part;
    if (text === "{") around.push(marks);
    else if (text === "}") marks = around.pop() ?? new Set();
    else if (word === "plain") marks = new Set();
    else if (word === "v" || word === "deleted")
      marks = new Set([...[...marks].filter((one) => one !== word), ...(value === "0" ? [] : [word])]);
    if (binaryBytes !== undefined) RICH_TEXT_PART.lastIndex += Number(binaryBytes);
    const isCharacters = word === undefined ? !/^(?:[{}]|\\\*)$/.test(text) : CHARACTER_WORD.test(word);
    if (marks.size === 0 || !isCharacters) shown += source.slice(part.index, RICH_TEXT_PART.lastIndex);
  }
  return Buffer.from(shown, "latin1");
}

/** A definition of the list of styles: their numbers and names. */
const HEADING_STYLE = /\{\\s(\d{1,5})(?=\\)[^{};]*\\[a-z]+-?\d* ?(?:heading ([1-9])|title)[,;]/gi;

/** Programs may tell a heading by the name of its style alone. */
function withOutlineLevels(source: string): string {
  const styles = new Map(
    [...source.matchAll(HEADING_STYLE)].map(([, number, level = "1"]) => [number, Number(level) - 1]),
  );
  if (styles.size === 0) return source;
  return source.replace(/\\\\|\\s(\d{1,5})(?!\d)/g, (word, number?: string) => {
    const level = number === undefined ? undefined : styles.get(number);
    return level === undefined ? word : `${word}\\outlinelevel${level}`;
  });
}

/** Types of records of slides: [MS-PPT], section 2.13.24. */
const SLIDE = 1006;
const SLIDE_INFO = 1017;
const SLIDE_PERSIST = 1011;
const SLIDE_LIST = 4080;
const PERSIST_DIRECTORY = 6002;
const SKIPPED_TEXT = 0x0fff;
/** A shape, and another text. */
const ENDS: ReadonlySet<number> = new Set([0xf004, ...TEXTS]);
/** Numbers of slides, dates, heads and feet, for which a star stands in the text. */
const FIELDS: ReadonlySet<number> = new Set([4056, 4087, 4088, 4089, 4090]);
const HIDDEN_SLIDE = 4;

/** Slides without the texts of those that are hidden, in themselves and in the outline, and without fields alone. */
function shownSlides(body: Uint8Array): Uint8Array {
  return rewrittenStream(body, ["PowerPoint Document"], (stream) => {
    const all = [...slideRecords(stream, 0, stream.length)];
    const within = ({ start, end }: SlideRecord) => all.filter(({ at }) => at >= start && at < end);
    const hidden = all
      .filter(({ type, start, end }) => type === SLIDE_INFO && end - start >= 12)
      .filter(({ start }) => (stream.readUInt8(start + 10) & HIDDEN_SLIDE) !== 0)
      .flatMap(({ at }) => all.filter(({ type, start, end }) => type === SLIDE && start <= at && at < end));
    for (const { at } of all.filter((_, place) => isFieldAlone(stream, all, place)))
      stream.writeUInt16LE(SKIPPED_TEXT, at + 2);
    if (hidden.length === 0) return;
    const offsets = persistOffsets(stream, all);
    const places = new Set(hidden.map(({ at }) => at));
    let isHidden = false;
    const outline = all
      .filter(({ type }) => type === SLIDE_LIST)
      .flatMap(within)
      .filter(({ type, start }) => {
        if (type === SLIDE_PERSIST && start + 4 <= stream.length)
          isHidden = places.has(offsets.get(stream.readUInt32LE(start)) ?? -1);
        return isHidden;
      });
    for (const { type, at } of [...outline, ...hidden.flatMap(within)])
      if (TEXTS.has(type)) stream.writeUInt16LE(SKIPPED_TEXT, at + 2);
  });
}

function isFieldAlone(stream: Buffer, all: readonly SlideRecord[], place: number): boolean {
  const text = all[place];
  if (!text || !TEXTS.has(text.type)) return false;
  const bytes = stream.subarray(text.start, text.end);
  if (!["*", "*\0"].includes(bytes.toString("latin1"))) return false;
  for (let next = place + 1; next < all.length && !ENDS.has(all[next]?.type ?? 0); next++)
    if (FIELDS.has(all[next]?.type ?? 0)) return true;
  return false;
}

/** Number of a stored object → its offset. Later directories replace earlier ones. */
function persistOffsets(stream: Buffer, all: readonly SlideRecord[]): ReadonlyMap<number, number> {
  const offsets = new Map<number, number>();
  for (const { type, start, end } of all) {
    if (type !== PERSIST_DIRECTORY) continue;
    for (let at = start; at + 4 <= end;) {
      const run = stream.readUInt32LE(at);
      at += 4;
      for (let next = 0; next < run >>> 20 && at + 4 <= end; next++, at += 4)
        offsets.set((run & 0xfffff) + next, stream.readUInt32LE(at));
    }
  }
  return offsets;
}

/** Places in the head of a text document: [MS-DOC], sections 2.5.2, 2.5.6, 2.8.5 and 2.9.38. */
const FLAGS_AT = 11;
const STYLES_AT = 0xa2;
const RUNS_AT = 0xfa;
const PARAGRAPHS_AT = 0x102;
const PIECES_AT = 0x1a2;
const HEAD_BYTES = 0x1aa;
const PAGE_BYTES = 512;
const SECOND_TABLE = 0x02;
const COMPRESSED = 0x40000000;
/** Hidden, and deleted by a tracked change. */
const HIDDEN: ReadonlySet<number> = new Set([0x083c, 0x0800]);

/** A text document without hidden characters and what tracked changes delete, whose titles are headings. */
function shownText(body: Uint8Array): Uint8Array {
  return rewrittenStream(body, ["WordDocument"], (stream) => {
    if (stream.length < HEAD_BYTES) return;
    const isSecond = (stream.readUInt8(FLAGS_AT) & SECOND_TABLE) !== 0;
    const table = oleStream(body, isSecond ? "1Table" : "0Table")?.bytes ?? Buffer.of();
    const partAt = (place: number) => {
      const at = stream.readUInt32LE(place);
      return table.subarray(at, at + stream.readUInt32LE(place + 4));
    };
    const pieces = textPieces(partAt(PIECES_AT));
    for (const page of pagesOf(stream, partAt(RUNS_AT)))
      for (const [from, to] of hiddenRuns(page)) for (const piece of pieces) blank(stream, from, to, piece);
    const titles = titleStyles(partAt(STYLES_AT));
    if (titles.size === 0) return;
    for (const page of pagesOf(stream, partAt(PARAGRAPHS_AT))) titlesToHeadings(page, titles);
  });
}

/** Pages of properties, which a table lists behind the places of their texts. */
function pagesOf(stream: Buffer, table: Buffer): readonly Buffer[] {
  const count = Math.max(0, Math.floor((table.length - 4) / 8));
  return Array.from({ length: count }, (_, page) => {
    const start = (table.readUInt32LE((count + 1 + page) * 4) & 0x3fffff) * PAGE_BYTES;
    return stream.subarray(start, start + PAGE_BYTES);
  }).filter(({ length }) => length === PAGE_BYTES);
}

interface TextPiece {
  readonly start: number;
  readonly end: number;
  readonly characterBytes: number;
}

/** Where the characters lie. Lists of properties stand before the table. */
function textPieces(table: Buffer): readonly TextPiece[] {
  let at = 0;
  while (at + 3 <= table.length && table[at] === 1) at += 3 + table.readUInt16LE(at + 1);
  const places = table.subarray(at + 5);
  const count = Math.max(0, Math.floor((places.length - 4) / 12));
  return Array.from({ length: count }, (_, piece) => {
    const written = places.readUInt32LE((count + 1) * 4 + piece * 8 + 2);
    const characterBytes = (written & COMPRESSED) === 0 ? 2 : 1;
    const start = characterBytes === 2 ? written : (written & (COMPRESSED - 1)) / 2;
    const characters = places.readUInt32LE((piece + 1) * 4) - places.readUInt32LE(piece * 4);
    return { start, end: start + characters * characterBytes, characterBytes };
  });
}

function hiddenRuns(page: Buffer): readonly (readonly [from: number, to: number])[] {
  const runs = Math.min(page.readUInt8(PAGE_BYTES - 1), Math.floor((PAGE_BYTES - 5) / 5));
  return Array.from({ length: runs }, (_, run) => {
    const at = page.readUInt8((runs + 1) * 4 + run) * 2;
    const isHidden = at > 0 && isHiddenRun(page.subarray(at + 1, at + 1 + page.readUInt8(at)));
    const from = page.readUInt32LE(run * 4);
    return [from, isHidden ? page.readUInt32LE(run * 4 + 4) : from] as const;
  });
}

/** Ends of paragraphs and of cells, and marks of fields, hold the document together and stay. */
function blank(stream: Buffer, from: number, to: number, { start, end, characterBytes }: TextPiece): void {
  const last = Math.min(to, end, stream.length) - characterBytes;
  for (let at = Math.max(from, start); at <= last; at += characterBytes) {
    const character = characterBytes === 2 ? stream.readUInt16LE(at) : stream.readUInt8(at);
    if (character >= 0x20 || character === 9) stream.fill(0, at, at + characterBytes);
  }
}

/** Whether properties of a run hide it. The upper bits of a property's number say how long its value is. */
function isHiddenRun(properties: Buffer): boolean {
  for (let at = 0; at + 3 <= properties.length;) {
    const property = properties.readUInt16LE(at);
    if (HIDDEN.has(property) && properties.readUInt8(at + 2) === 1) return true;
    const size = VALUE_BYTES[property >>> 13] ?? 1 + properties.readUInt8(at + 2);
    at += 2 + size;
  }
  return false;
}

const VALUE_BYTES: readonly (number | undefined)[] = [1, 1, 2, 4, 2, 2, undefined, 3];
