import type { DraftFigure, DraftTable, PageDraft } from "./page-draft.ts";
import { type Paragraph, paragraphOf, paragraphsOf } from "./paragraphs.ts";
import { settleLine, type UsualLook } from "./text-line.ts";

/** Between pieces of one code, in sizes. */
const MAX_WHITE = 3;

export type Part = Paragraph | DraftTable | DraftFigure;

/** A page whose texts are split into paragraphs, in the order they are read. */
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

/** Pieces of code below each other are one, with what white is between them. */
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
