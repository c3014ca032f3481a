/** Texts of slides, in UTF-16 and as the lower halves of its characters: [MS-PPT], section 2.13.24. */
export const UTF16_TEXT = 4000;
export const TEXTS: ReadonlySet<number> = new Set([UTF16_TEXT, 4008]);
/** Real files nest a dozen records. */
const MAX_DEPTH = 32;

export interface SlideRecord {
  readonly type: number;
  /** Offsets of the header, of what follows it, and of the end. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Records of presentations from before 2007, each followed by those in it. */
export function* slideRecords(stream: Buffer, from: number, to: number, depth = 0): Generator<SlideRecord> {
  for (let at = from; at + 8 <= to;) {
    const start = at + 8;
    const end = Math.min(start + stream.readUInt32LE(at + 4), to);
    yield { type: stream.readUInt16LE(at + 2), at, start, end };
    const isContainer = (stream.readUInt8(at) & 15) === 15;
    if (isContainer && depth < MAX_DEPTH) yield* slideRecords(stream, start, end, depth + 1);
    at = end;
  }
}
