/** In UTF-16 units. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Sentence endings in all scripts, with the closing quotes, brackets and references that follow. */
const ENDS =
  /(?:[.!?…؟۔।॥։]{1,8}["'”’»›)\]*_]{0,8}(?:\\?\[\\?\[?[^\][\n]{1,20}\]?\\?\](?:\([^()\s]{0,200}\))?){0,5}(?=\s)|[。！？｡．]{1,8}[」』”’）)\]]{0,8})\s*/gu;

/** Abbreviations that do not end a sentence, in lower case without the final point. */
const ABBREVIATIONS = new Set(
  (
    "mr mrs ms dr st prof rev hon sen rep gov gen col lt sgt capt vs no nos jr sr inc ltd co corp fig figs vol pp ca " +
    "approx al etc ed eds art cf est dept e.g i.e u.s u.k z.b d.h u.a bzw usw ggf evtl nr str bd jh hl sog inkl " +
    "sra srta ud uds núm pág págs av ej mme mlle cie env sig dott ing tel dhr mevr bv г гг ул им см тыс млн млрд " +
    "стр рис проф тов др т.е т.д bkz örn vb vs yy doç m.ö m.s pl np tzn ul"
  ).split(" "),
);

/** Longer pieces are cut, if necessary within a word. */
const MAX_CHARACTERS = 1500;

/** The sentences of one line, in any script. They cover the line except for white space at their ends. */
export function sentencesOf(line: string): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const match of line.matchAll(ENDS)) {
    const next = match.index + match[0].length;
    if (next >= line.length || !endsHere(line, match.index, next)) continue;
    addSpan(spans, line, { start, end: next });
    start = next;
  }
  addSpan(spans, line, { start, end: line.length });
  return spans;
}

/** True if the mark at `index` ends a sentence; the next one would begin at `next`. */
function endsHere(line: string, index: number, next: number): boolean {
  if (line[index] !== ".") return !/^\p{Ll}/u.test(line.slice(next, next + 2));
  if (line[index + 1] === ".") return /^\P{Ll}/u.test(line.slice(next, next + 2));
  const before = /[\p{L}\p{N}.]*$/u.exec(line.slice(Math.max(0, index - 12), index))?.[0] ?? "";
  if (/^\p{L}$|^\p{Lu}\p{Ll}?$|\.\p{L}$|^\p{N}{1,2}$/u.test(before)) return false;
  return !ABBREVIATIONS.has(before.toLowerCase()) && /^\P{Ll}/u.test(line.slice(next, next + 2));
}

function addSpan(spans: Span[], line: string, { start, end }: Span): void {
  let from = start;
  while (end - from > MAX_CHARACTERS) {
    const space = line.slice(from, from + MAX_CHARACTERS).lastIndexOf(" ");
    const cut = from + (space > 0 ? space : MAX_CHARACTERS);
    addTrimmed(spans, line, { start: from, end: cut });
    from = cut;
  }
  addTrimmed(spans, line, { start: from, end });
}

function addTrimmed(spans: Span[], line: string, { start, end }: Span): void {
  const text = line.slice(start, end);
  const lead = text.length - text.trimStart().length;
  const length = text.trim().length;
  if (length > 0) spans.push({ start: start + lead, end: start + lead + length });
}
