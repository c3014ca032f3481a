import type { DraftFigure, DraftTable, PageDraft } from "./page-draft.ts";
import { type Paragraph, paragraphsOf } from "./paragraphs.ts";
import { settleLine, type UsualLook } from "./text-line.ts";

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
  return { ...page, parts };
}
