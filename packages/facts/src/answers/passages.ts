import type { RankedUnit } from "./rank.ts";

/** What is taken from a page to answer with. */
export interface Extract {
  /** Parts of the page as they stand there. */
  readonly text: string;
  /** False when it comes from the first part of a page that is too long. */
  readonly isFromAll: boolean;
}

/** Units that stand next to each other on one line. */
type Passage = readonly RankedUnit[];

/** The texts of units in the order of the page, as they stand there. Neighbours on a line are one text. */
export function passagesOf(chosen: readonly RankedUnit[], markdown: string): readonly string[] {
  return groupedByPlace(chosen).map((passage) => textOf(passage, markdown));
}

/** How many texts `passagesOf` makes of them. */
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
