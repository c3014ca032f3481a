import type { DraftFigure, DraftTable, PageDraft } from "./page-draft.ts";
import { type Paragraph, paragraphOf, paragraphsOf } from "./paragraphs.ts";
import { settleLine, type UsualLook } from "./text-line.ts";

/** In em. Maximum gap between pieces of one code block. */
const MAX_WHITE = 3;

export type Part = Paragraph | DraftTable | DraftFigure;

/** A page with its texts split into paragraphs, in reading order. */
export interface PageParts extends Omit<PageDraft, "areas"> {
  readonly parts: readonly Part[];
}

export function partsOf({ areas, ...page }: PageDraft, usual: UsualLook): PageParts {
  const parts = areas.flatMap((area): readonly Part[] => {
    if (area.kind !== "text") return [area];
    return paragraphsOf(
      area,
      area.lines.map((line) => settleLine(line, usual)),
    );
  });
  return { ...page, parts: usual.isMonospaced ? parts : joinCode(parts) };
}

/** Joins code pieces below each other; the gap between them is kept as white space. */
function joinCode(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before?.kind === "text" && part.kind === "text" && isOneCode(before, part))
      joined[joined.length - 1] = paragraphOf([...before.lines, ...part.lines], before.isUnderRule);
    else joined.push(part);
  }
  return joined;
}

function isOneCode(before: Paragraph, part: Paragraph): boolean {
  const size = part.lines[0]?.size ?? 0;
  const isCode = [...before.lines, ...part.lines].every(
    (line) => line.isMonospaced && Math.abs(line.size - size) < 0.5,
  );
  const gap = part.y0 - before.y1;
  return isCode && gap > -size && gap < MAX_WHITE * size && before.x0 < part.x1 && part.x0 < before.x1;
}
