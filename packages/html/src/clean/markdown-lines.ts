/** The properties of one line of Markdown that decide whether it is boilerplate. */
export interface MarkdownLine {
  /** Readable text in lower case, without Markdown syntax, URLs, and punctuation at the ends. */
  readonly words: string;
  readonly wordCount: number;
  /** 1 to 6 for a heading. */
  readonly headingLevel: number | undefined;
  /** Whether its kind is never removed: code, table rows, images without a link. */
  readonly isKept: boolean;
  readonly linkCount: number;
  /** Whether it has nothing outside its links but separators. */
  readonly isOnlyLinks: boolean;
}

/** A linked image alone on its line. */
const LINKED_PICTURE = /^\s*(?:[-*+]\s+)?\[!\[([^\][]{0,300})\]\([^()]{0,2000}\)\s*\]\([^()\s]{0,2000}\)\s*$/;
const HEADING = /^\s{0,3}(?:[-*+]\s+)?(#{1,6})\s/;
const FENCE = /^\s*(?:```|~~~)/;
const LINK = /\[((?:[^\][\\]|\\.){0,300})\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,300}")?\)/g;

/** Splits Markdown into its lines, in order. */
export function markdownLines(markdown: string): readonly MarkdownLine[] {
  let isCode = false;
  return markdown.split("\n").map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    return lineOf(line, isCode || isFence);
  });
}

function lineOf(line: string, isCode: boolean): MarkdownLine {
  const links = line.match(LINK) ?? [];
  const alternative = isCode ? undefined : LINKED_PICTURE.exec(line)?.[1];
  const isLinkedPicture = alternative !== undefined;
  const outside = line.replace(LINK, "");
  const words = (alternative ?? line)
    .replace(LINK, "$1")
    .replaceAll(/[*_`\\]/g, "")
    .toLowerCase()
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return {
    words,
    wordCount: words === "" ? 0 : words.split(/\s+/).length,
    headingLevel: isCode ? undefined : HEADING.exec(line)?.[1]?.length,
    isKept: isCode || (/^\s*\||!\[/.test(line) && !isLinkedPicture),
    linkCount: links.length,
    isOnlyLinks: isLinkedPicture || (links.length > 0 && !/[\p{L}\p{N}]/u.test(outside)),
  };
}
