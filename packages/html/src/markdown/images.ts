/** What stands for an embedded picture. */
const REMOVED = "<Base64-Image-Removed>";

const DATA_DESTINATION = /\]\(\s*<?data:/gi;

/**
 * Replaces the target of every Markdown image that is a `data:` URI by a placeholder; the alternative text stays.
 * Linear in the length of any text.
 */
export function removeBase64Images(markdown: string): string {
  const parts: string[] = [];
  /** Everything before has been copied. */
  let copied = 0;
  /** No image starts before: it lies behind the previous candidate. */
  let floor = 0;
  for (const match of markdown.matchAll(DATA_DESTINATION)) {
    const start = match.index;
    const isImage = start >= floor && findImageStart(markdown, start, floor) >= 0;
    floor = start + match[0].length;
    const end = isImage ? findEnd(markdown, floor) : -1;
    if (end < 0) continue;
    parts.push(markdown.slice(copied, start), `](${REMOVED})`);
    copied = end;
    floor = end;
  }
  parts.push(markdown.slice(copied));
  return parts.join("");
}

/** Where the `![` of the image stands whose text ends before `end`; -1 when it is not an image. */
function findImageStart(markdown: string, end: number, floor: number): number {
  const start = markdown.slice(floor, end).lastIndexOf("![");
  return start < 0 ? -1 : floor + start;
}

/** Offset behind the `)` that closes the destination starting before `from`; -1 when it is not closed. */
function findEnd(markdown: string, from: number): number {
  let depth = 0;
  for (let at = from; at < markdown.length; at++) {
    const code = markdown.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === NEWLINE || startsTarget(markdown, at)) return -1;
    else if (code === OPEN) depth++;
    else if (code === CLOSE && depth-- === 0) return at + 1;
  }
  return -1;
}

const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const OPEN = 0x28;
const CLOSE = 0x29;

/** The next candidate may begin here: so each stretch of text is looked at once. */
function startsTarget(markdown: string, at: number): boolean {
  return markdown.startsWith("](", at);
}
