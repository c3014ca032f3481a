import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";

/** Longer texts are encoded in pieces, between which other work runs. A piece takes some 5 ms. */
const PIECE_LENGTH = 1024 * 1024;
const COMMA = Buffer.from(",");

/**
 * Encodes the members of an object as JSON in UTF-8, each followed by a comma, between `start` and `end`. The
 * result is one part, or several when members are long texts. Members that JSON cannot express are left out.
 */
export async function encodeMembers(start: string, value: object, end: string): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  let waiting = start;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (typeof member === "string" && member.length > PIECE_LENGTH) {
      parts.push(Buffer.from(`${waiting}${JSON.stringify(name)}:"`), ...(await encodeText(member)));
      waiting = '",';
      continue;
    }
    const json = JSON.stringify(member) as string | undefined;
    if (json !== undefined) waiting += `${JSON.stringify(name)}:${json},`;
  }
  return [...parts, Buffer.from(waiting + end)];
}

/** Encodes the text between the quotes. */
async function encodeText(text: string): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start + PIECE_LENGTH);
    parts.push(Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1)));
    start = end;
    await setImmediate();
  }
  return parts;
}

/** Encodes a long text as UTF-8 in parts, between which other work runs. */
async function encodeInTurns(text: string): Promise<readonly Buffer[]> {
  if (text.length <= PIECE_LENGTH) return [Buffer.from(text)];
  const parts: Buffer[] = [];
  for (let start = 0; start < text.length; await setImmediate()) {
    const end = endOfPiece(text, start + PIECE_LENGTH);
    parts.push(Buffer.from(text.slice(start, end)));
    start = end;
  }
  return parts;
}

/** Joins texts with commas. */
export async function encodeList(texts: readonly string[]): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  for (const text of texts) parts.push(...(parts.length > 0 ? [COMMA] : []), ...(await encodeInTurns(text)));
  return parts;
}

/** Decodes UTF-8 text in parts, between which other work runs. */
export async function decodeInTurns(bytes: Uint8Array): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  for (let start = 0; start < bytes.byteLength; start += PIECE_LENGTH) {
    if (start > 0) await setImmediate();
    const { buffer, byteOffset } = bytes;
    const length = Math.min(PIECE_LENGTH, bytes.byteLength - start);
    text += decoder.write(Buffer.from(buffer, byteOffset + start, length));
  }
  return text + decoder.end();
}

/** Never splits a surrogate pair. */
function endOfPiece(text: string, end: number): number {
  const isHalf = /^[\ud800-\udbff]$/.test(text.charAt(end - 1));
  return isHalf ? end + 1 : end;
}
