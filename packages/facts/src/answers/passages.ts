import type { RankedUnit } from "./rank.ts";

/** Text taken from a page as an answer. */
export interface Extract {
  /** Quoted unchanged from the page. */
  readonly text: string;
  /** False if the page was too long, so that only its first part was searched. */
  readonly isFromAll: boolean;
}

/** Adjacent units on one line. */
type Passage = readonly RankedUnit[];

/** The texts of the units, unchanged and in page order. Adjacent units of a line become one text. */
export function passagesOf(chosen: readonly RankedUnit[], markdown: string): readonly string[] {
  return groupedByPlace(chosen).map((passage) => textOf(passage, markdown));
}

/** Number of texts that `passagesOf` returns. */
export function countPassages(chosen: readonly RankedUnit[]): number {
  return groupedByPlace(chosen).length;
}

function groupedByPlace(chosen: readonly RankedUnit[]): readonly Passage[] {
  const passages: RankedUnit[][] = [];
  for (const ranked of chosen.toSorted((one, other) => one.position - other.position)) {
    const open = passages.at(-1);
    const last = open?.at(-1);
    if (open && last && follows(ranked, last)) open.push(ranked);
    else passages.push([ranked]);
  }
  return passages;
}

function follows(next: RankedUnit, last: RankedUnit): boolean {
  return next.position === last.position + 1 && next.unit.line === last.unit.line;
}

function textOf(passage: Passage, markdown: string): string {
  return markdown.slice(passage[0]?.unit.start, passage.at(-1)?.unit.end);
}
