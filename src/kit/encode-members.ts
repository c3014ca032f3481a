import { setImmediate } from "node:timers/promises";

/** Longer texts are encoded piece by piece, and others get their turn in between: a piece takes some 5 ms. */
const PIECE_LENGTH = 1024 * 1024;

/**
 * The members of an object as JSON in UTF-8, each followed by a comma, between `start` and `end`: in one part, or in
 * several where members are long texts. Members that JSON does not know are left out.
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

/** What is between the quotes. */
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

/** Never between the two halves of a character. */
function endOfPiece(text: string, end: number): number {
  const isHalf = /^[\ud800-\udbff]$/.test(text.charAt(end - 1));
  return isHalf ? end + 1 : end;
}
