import { rewrittenStream } from "../archives/ole-streams.ts";
import type { Formulas } from "../model/marks.ts";
import { formatted, numberFormat } from "./number-formats.ts";

/**
 * A workbook without hidden sheets, with marks in rows and columns that are not shown, and with numbers by their
 * formats: [MS-XLS], section 2.4.
 */
export function shownSheets(body: Uint8Array, formulas: Formulas): Uint8Array {
  return rewrittenStream(body, ["Workbook", "Book"], (stream) => {
    let hidden: HiddenCells = { columns: [], rows: new Set() };
    const formats = new OldFormats();
    for (let at = 0; at + 10 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
      const type = stream.readUInt16LE(at);
      const data = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));
      const isHidden = (flagsAt: number, flag: number) => ((data[flagsAt] ?? 0) & flag) !== 0;
      if (type === SHEET && isHidden(4, 3)) stream.writeUInt16LE(SKIPPED_RECORD, at);
      else if (type === START) {
        hidden = { columns: [], rows: new Set() };
        formats.isWide = data.length < 2 || data.readUInt16LE(0) === WIDE_VERSION;
      } else if (type === COLUMNS && isHidden(8, 1))
        hidden.columns.push([data.readUInt16LE(0), data.readUInt16LE(2)]);
      else if (type === ROW && isHidden(12, 0x20)) hidden.rows.add(data.readUInt16LE(0));
      else if (markHidden(type, data, hidden) && TEXT_CELLS.has(type)) stream.writeUInt16LE(ONE_NUMBER, at);
      else if (!formats.learn(type, data)) formats.apply(type, data, formulas);
    }
  });
}

const SHEET = 0x85;
const START = 0x809;
/** Since 1997. */
const WIDE_VERSION = 0x600;
const COLUMNS = 0x7d;
const ROW = 0x208;
/** A record that says nothing about the content. */
const SKIPPED_RECORD = 0xef;

const ONE_NUMBER = 0x27e;
const SEVERAL_NUMBERS = 0xbd;
const TEXT_CELLS: ReadonlySet<number> = new Set([0xfd, 0x204]);
const SHORT_CELLS: ReadonlySet<number> = new Set([ONE_NUMBER, SEVERAL_NUMBERS, ...TEXT_CELLS]);
/** Numbers and results of formulas, of eight bytes, whose greater half is the second. */
const LONG_CELLS: ReadonlySet<number> = new Set([0x203, 0x06]);
const GENERAL_FORMAT = 15;
/** The greater halves of the numbers that are marks. */
const ROW_MARK = 0x2b300000;
const COLUMN_MARK = 0xab300000;

const FORMAT = 0x41e;
const CELL_STYLE = 0xe0;

/** Formats of numbers, and the styles of cells that name them. */
class OldFormats {
  isWide = true;
  readonly #codes = new Map<number, string>();
  readonly #styles: number[] = [];

  /** Whether a record defines a format or a style. */
  learn(type: number, data: Buffer): boolean {
    if (type === CELL_STYLE && data.length >= 4) this.#styles.push(data.readUInt16LE(2));
    else if (type !== FORMAT || data.length < 5) return false;
    else {
      const [start, isUtf16] = this.isWide ? [5, ((data[4] ?? 0) & 1) !== 0] : [3, false];
      this.#codes.set(data.readUInt16LE(0), data.toString(isUtf16 ? "utf16le" : "latin1", start));
    }
    return true;
  }

  /** Writes numbers that stand for those that a format changes. */
  apply(type: number, data: Buffer, formulas: Formulas): void {
    const isLong = LONG_CELLS.has(type);
    if (!isLong && type !== ONE_NUMBER && type !== SEVERAL_NUMBERS) return;
    if (data.length < (isLong ? 14 : 10)) return;
    const cells = type === SEVERAL_NUMBERS ? Math.floor((data.length - 6) / 6) : 1;
    for (let at = 4; at < 4 + 6 * cells; at += 6) {
      const id = this.#styles[data.readUInt16LE(at)] ?? 0;
      const format = numberFormat(id, this.#codes.get(id));
      // Results of formulas that are no numbers.
      if (format === undefined || (isLong && data.readUInt16LE(at + 8) === 0xffff)) continue;
      const shown = formatted(
        isLong ? data.readDoubleLE(at + 2) : shortNumber(data.readInt32LE(at + 2)),
        format,
      );
      const half = shown === undefined ? undefined : formulas.addNumber(shown);
      if (half === undefined) continue;
      data.writeUInt16LE(GENERAL_FORMAT, at);
      if (isLong) data.writeUInt32LE(0, at + 2);
      data.writeUInt32LE(half, at + (isLong ? 6 : 2));
    }
  }
}

/** A number in four bytes: a whole number, or the greater half of one, either of which may be hundredths. */
export function shortNumber(bits: number): number {
  const half = Buffer.alloc(8);
  half.writeInt32LE(bits & ~3, 4);
  const value = (bits & 2) === 0 ? half.readDoubleLE(0) : bits >> 2;
  return (bits & 1) === 0 ? value : value / 100;
}

interface HiddenCells {
  readonly columns: (readonly [first: number, last: number])[];
  readonly rows: Set<number>;
}

/** Writes numbers that are marks into the hidden ones of a record's cells. There is room for no more than a number. */
function markHidden(type: number, data: Buffer, { columns, rows }: HiddenCells): boolean {
  const isLong = LONG_CELLS.has(type);
  const isCell = isLong || SHORT_CELLS.has(type);
  if (!isCell || columns.length + rows.size === 0 || data.length < (isLong ? 14 : 10)) return false;
  const isHiddenRow = rows.has(data.readUInt16LE(0));
  const firstColumn = data.readUInt16LE(2);
  const cells = type === SEVERAL_NUMBERS ? Math.floor((data.length - 6) / 6) : 1;
  let isMarked = false;
  for (let cell = 0; cell < cells; cell++) {
    const column = firstColumn + cell;
    if (!isHiddenRow && !columns.some(([first, last]) => first <= column && column <= last)) continue;
    const at = 4 + 6 * cell;
    data.writeUInt16LE(GENERAL_FORMAT, at);
    data.writeUInt32LE(isHiddenRow ? ROW_MARK : COLUMN_MARK, at + (isLong ? 6 : 2));
    isMarked = true;
  }
  return isMarked;
}
