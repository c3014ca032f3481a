/** A part of a page that something comes from. */
export interface Cited {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface PageLine {
  readonly number: number;
  readonly parts: readonly { readonly text: string; readonly isCited: boolean }[];
  /** Whether lines before it are left out. */
  readonly isAfterGap: boolean;
}

/** Lines around a cited one. */
const CONTEXT_LINES = 2;
/** More lines are slow to draw. */
const MAX_LINES = 3000;
/** More of a line is of no use to the eye, unless it is cited. */
const MAX_LINE_CHARACTERS = 2000;

/** The lines of a page, cut where something cited begins and ends. @param isWhole else only those near what is cited */
export function linesOf(
  markdown: string,
  cited: readonly Cited[],
  isWhole: boolean,
): { readonly lines: readonly PageLine[]; readonly isCut: boolean } {
  const texts = markdown.split("\n");
  const near = new Set(
    cited.flatMap(({ line }) =>
      Array.from({ length: 2 * CONTEXT_LINES + 1 }, (_, step) => line - CONTEXT_LINES + step),
    ),
  );
  const lines: PageLine[] = [];
  let [start, last] = [0, 0];
  for (const [index, text] of texts.entries()) {
    const number = index + 1;
    if (isWhole ? lines.length < MAX_LINES : near.has(number)) {
      const own = cited.filter(({ line }) => line === number);
      lines.push({ number, parts: partsOf(text, start, own), isAfterGap: number > last + 1 });
      last = number;
    }
    start += text.length + 1;
  }
  return { lines, isCut: isWhole && texts.length > MAX_LINES };
}

function partsOf(text: string, lineStart: number, cited: readonly Cited[]): PageLine["parts"] {
  if (cited.length === 0) return [{ text: text.slice(0, MAX_LINE_CHARACTERS), isCited: false }];
  const parts: { text: string; isCited: boolean }[] = [];
  let from = 0;
  for (const { start, end } of cited) {
    const [first, behind] = [Math.max(from, start - lineStart), Math.min(text.length, end - lineStart)];
    if (behind <= first) continue;
    parts.push({ text: text.slice(from, first), isCited: false });
    parts.push({ text: text.slice(first, behind), isCited: true });
    from = behind;
  }
  return [...parts, { text: text.slice(from, from + MAX_LINE_CHARACTERS), isCited: false }];
}
