import { HIDDEN_COLUMN, HIDDEN_ROW } from "../model/marks.ts";
import { formatted, numberFormat } from "./number-formats.ts";
import { shortNumber } from "./old-workbook.ts";
import type { CellFormats } from "./workbook-parts.ts";

/** Types of records: [MS-XLSB], section 2.3. */
const ROW = 0;
const TEXT_CELL = 6;
/** Cells that name their column, and, by the same order, those that stand behind the cell before. */
const FIRST_CELL = 1;
const LAST_CELL = 11;
const FIRST_SHORT_CELL = 12;
const LAST_SHORT_CELL = 18;
const COLUMNS = 60;
const SHEET = 156;
const SHORT_NUMBER = 2;
/** Numbers of eight bytes, and such results of formulas. */
const LONG_NUMBERS: ReadonlySet<number> = new Set([5, 9]);
const FORMAT = 44;
const CELL_STYLES = 617;
const CELL_STYLES_END = 618;
const CELL_STYLE = 47;

interface BinaryRecord {
  readonly type: number;
  readonly data: Buffer;
}

/** The workbook of a binary file without the sheets that Excel does not show. */
export function shownBinaryWorkbook(workbook: Buffer): Buffer {
  return rewritten(workbook, (record) => {
    const isHidden = record.type === SHEET && record.data.length >= 4 && record.data.readUInt32LE(0) !== 0;
    return isHidden ? undefined : record;
  });
}

/** Number formats of a binary file, by the number of a cell's style. */
export function binaryFormats(styles: Buffer): CellFormats {
  const codes = new Map<number, string>();
  const formats: (string | undefined)[] = [];
  let isOfCells = false;
  rewritten(styles, (record) => {
    const { type, data } = record;
    if (type === CELL_STYLES || type === CELL_STYLES_END) isOfCells = type === CELL_STYLES;
    if (type === FORMAT && data.length >= 6)
      codes.set(data.readUInt16LE(0), data.toString("utf16le", 6, 6 + 2 * data.readUInt32LE(2)));
    if (type === CELL_STYLE && isOfCells && data.length >= 4) {
      const id = data.readUInt16LE(2);
      formats.push(numberFormat(id, codes.get(id)));
    }
    return record;
  });
  return formats;
}

/**
 * A sheet of a binary file with its numbers as shown, and with marks in rows and columns that are not. Each cell names
 * its column: the engine reads no other.
 */
export function shownBinarySheet(sheet: Buffer, formats: CellFormats): Buffer {
  const hidden: (readonly [first: number, last: number])[] = [];
  let isHiddenRow = false;
  let column = -1;
  return rewritten(sheet, (record) => {
    const { type, data } = record;
    if (type === COLUMNS && data.length >= 18 && (data.readUInt16LE(16) & 1) !== 0)
      hidden.push([data.readUInt32LE(0), data.readUInt32LE(4)]);
    if (type === ROW) {
      isHiddenRow = ((data[11] ?? 0) & 0x10) !== 0;
      column = -1;
    }
    const isShort = type >= FIRST_SHORT_CELL && type <= LAST_SHORT_CELL;
    if (!isShort && (type < FIRST_CELL || type > LAST_CELL || data.length < 8)) return record;
    const isFirst = column < 0;
    column = isShort ? column + 1 : data.readUInt32LE(0);
    // Other cells of the row go with the mark.
    if (isHiddenRow) return isFirst ? markedCell(column, HIDDEN_ROW) : undefined;
    if (hidden.some(([first, last]) => first <= column && column <= last))
      return markedCell(column, HIDDEN_COLUMN);
    const cell = isShort
      ? { type: type - FIRST_SHORT_CELL + FIRST_CELL, data: Buffer.concat([unsigned(column), data]) }
      : record;
    const shown = shownNumber(cell, formats);
    return shown === undefined ? cell : markedCell(column, shown);
  });
}

/** Undefined for cells that stay as they are. */
function shownNumber({ type, data }: BinaryRecord, formats: CellFormats): string | undefined {
  const isShort = type === SHORT_NUMBER && data.length >= 12;
  if (!isShort && !(LONG_NUMBERS.has(type) && data.length >= 16)) return undefined;
  const format = formats[data.readUIntLE(4, 3)];
  if (format === undefined) return undefined;
  return formatted(isShort ? shortNumber(data.readInt32LE(8)) : data.readDoubleLE(8), format);
}

function markedCell(column: number, mark: string): BinaryRecord {
  const text = [unsigned(mark.length), Buffer.from(mark, "utf16le")];
  return { type: TEXT_CELL, data: Buffer.concat([unsigned(column), unsigned(0), ...text]) };
}

function unsigned(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** @param change returns the record itself, another one, or none. What follows a record that is cut short stays. */
function rewritten(part: Buffer, change: (record: BinaryRecord) => BinaryRecord | undefined): Buffer {
  const written: Buffer[] = [];
  let keptFrom = 0;
  for (let at = 0; at < part.length;) {
    const [type, sizeAt] = numberAt(part, at, 2);
    const [size, start] = numberAt(part, sizeAt, 4);
    if (start + size > part.length) break;
    const record = { type, data: part.subarray(start, start + size) };
    const changed = change(record);
    if (changed !== record) {
      written.push(part.subarray(keptFrom, at));
      if (changed)
        written.push(
          Buffer.from([...sevenBits(changed.type), ...sevenBits(changed.data.length)]),
          changed.data,
        );
      keptFrom = start + size;
    }
    at = start + size;
  }
  return Buffer.concat([...written, part.subarray(keptFrom)]);
}

/** Seven bits a byte, the lowest first; the eighth says that another byte follows. */
function numberAt(part: Buffer, from: number, maxBytes: number): readonly [value: number, end: number] {
  let value = 0;
  for (let at = from; at < from + maxBytes; at++) {
    const byte = part[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return [value, at + 1];
  }
  return [value, from + maxBytes];
}

function sevenBits(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...sevenBits(value >>> 7)];
}
