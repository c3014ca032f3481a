import { oleStream } from "../archives/ole-streams.ts";
import { type Block, type Cell, PLAIN, plainText, type Slot } from "../model/document.ts";
import { type SlideRecord, slideRecords, TEXTS, UTF16_TEXT } from "./slide-records.ts";

/** Types of records of drawings: [MS-ODRAW], section 2.2. */
const GROUP = 0xf003;
const SHAPE = 0xf004;
const PLACE_IN_GROUP = 0xf00f;
const PROPERTIES: ReadonlySet<number> = new Set([0xf00b, 0xf121, 0xf122]);
/** Whether a group is a table: section 2.3.4.36. */
const TABLE_PROPERTY = 0x39f;
const PROPERTY_BYTES = 6;

/** PowerPoint has tables of 75 rows and columns. */
const MAX_SLOTS = 6_000;
/** Each is looked for among all blocks. */
const MAX_TABLES = 500;

interface CellShape {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly lines: readonly string[];
}

/**
 * Blocks of a presentation from before 2007, in which the engine writes cells as paragraphs one after the other. A
 * table whose cells are not found among the blocks stays as it is.
 */
export function withSlideTables(blocks: readonly Block[], file: Uint8Array): readonly Block[] {
  const stream = oleStream(file, "PowerPoint Document")?.bytes;
  const written = [...blocks];
  const shown = blocks.map(lineOf);
  let count = 0;
  for (const cells of stream ? tablesOf(stream) : []) {
    if ((count += 1) > MAX_TABLES) break;
    const lines = cells.flatMap((cell) => cell.lines);
    const at = shown.findIndex((_, start) => lines.every((line, place) => line === shown[start + place]));
    const table = lines.length > 0 && at >= 0 ? tableOf(cells) : undefined;
    if (!table) continue;
    written.splice(at, lines.length, table);
    shown.splice(at, lines.length, undefined);
  }
  return written;
}

function lineOf(block: Block | undefined): string | undefined {
  return block?.kind === "paragraph" ? lineText(plainText(block.content)) : undefined;
}

function lineText(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function* tablesOf(stream: Buffer): Generator<readonly CellShape[]> {
  const all = [...slideRecords(stream, 0, stream.length)];
  for (const [at, group] of all.entries()) {
    if (group.type !== GROUP) continue;
    const shapes: SlideRecord[][] = [];
    for (let next = at + 1; next < all.length; next++) {
      const record = all[next];
      if (!record || record.at >= group.end) break;
      if (record.type === SHAPE) shapes.push([]);
      shapes.at(-1)?.push(record);
    }
    const [frame = [], ...others] = shapes;
    if (frame.some((record) => saysTable(stream, record)))
      yield others.flatMap((records) => cellOf(stream, records));
  }
}

function saysTable(stream: Buffer, { type, at, start, end }: SlideRecord): boolean {
  if (!PROPERTIES.has(type)) return false;
  const count = stream.readUInt16LE(at) >>> 4;
  for (
    let place = start, left = count;
    left > 0 && place + PROPERTY_BYTES <= end;
    left--, place += PROPERTY_BYTES
  )
    if ((stream.readUInt16LE(place) & 0x3fff) === TABLE_PROPERTY)
      return (stream.readUInt8(place + 2) & 1) === 1;
  return false;
}

/** None for a shape without an area: a line between cells. */
function cellOf(stream: Buffer, records: readonly SlideRecord[]): readonly CellShape[] {
  const place = records.find(({ type, start, end }) => type === PLACE_IN_GROUP && end - start >= 16);
  if (!place) return [];
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) =>
    stream.readInt32LE(place.start + at),
  );
  const text = records
    .filter(({ type }) => TEXTS.has(type))
    .map(({ type, start, end }) => stream.toString(type === UTF16_TEXT ? "utf16le" : "latin1", start, end));
  const lines = text.join("\r").split("\r").map(lineText);
  return left < right && top < bottom
    ? [{ left, top, right, bottom, lines: lines.filter((line) => line !== "") }]
    : [];
}

function tableOf(cells: readonly CellShape[]): Block | undefined {
  const lefts = edgesOf(cells.map(({ left }) => left));
  const tops = edgesOf(cells.map(({ top }) => top));
  if (Math.max(lefts.length * tops.length, cells.length) > MAX_SLOTS) return undefined;
  const empty: Cell = { blocks: [], columns: 1, rows: 1 };
  const rows = tops.map(() => lefts.map((): Slot => empty));
  for (const { left, top, right, bottom, lines } of cells) {
    const columns = lefts.filter((edge) => edge >= left && edge < right);
    const crossed = tops.filter((edge) => edge >= top && edge < bottom);
    for (const row of crossed)
      for (const column of columns) (rows[tops.indexOf(row)] ?? [])[lefts.indexOf(column)] = undefined;
    const blocks = lines.map((text): Block => ({
      kind: "paragraph",
      content: [{ kind: "text", text, ...PLAIN }],
    }));
    (rows[tops.indexOf(top)] ?? [])[lefts.indexOf(left)] = {
      blocks,
      columns: columns.length,
      rows: crossed.length,
    };
  }
  return { kind: "table", headerRows: 0, rows };
}

function edgesOf(places: readonly number[]): readonly number[] {
  return [...new Set(places)].sort((a, b) => a - b);
}
