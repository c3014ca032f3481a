/** Placeholder for an embedded image. */
const REMOVED = "<Base64-Image-Removed>";

const DATA_DESTINATION = /\]\(\s*<?data:/gi;

/**
 * Replaces the target of every Markdown image that is a `data:` URI by a placeholder. The alternative text
 * stays.
 * Linear in the length of any text.
 */
export function removeBase64Images(markdown: string): string {
  const parts: string[] = [];
  /** Offset up to which the text has been copied. */
  let copied = 0;
  /** No image starts before this offset, the end of the previous candidate. */
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

/** Offset of the `![` of the image whose text ends before `end`; -1 when it is not an image. */
function findImageStart(markdown: string, end: number, floor: number): number {
  const start = markdown.slice(floor, end).lastIndexOf("![");
  return start < 0 ? -1 : floor + start;
}

/** Offset after the `)` that closes the destination starting before `from`; -1 when it is not closed. */
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

/** Whether the next candidate may begin here. Stopping there means that each stretch of text is read once. */
function startsTarget(markdown: string, at: number): boolean {
  return markdown.startsWith("](", at);
}
