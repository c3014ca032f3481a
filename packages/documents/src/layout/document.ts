import type { LaidOutPage } from "./laid-out-page.ts";
import { joinParagraphs } from "./joined-paragraphs.ts";
import { joinTables } from "./joined-tables.ts";
import { placeFootnotes } from "./footnotes.ts";
import { headingLevels } from "./heading-levels.ts";
import { laidOutPage } from "./laid-out-blocks.ts";
import type { OutlineEntry } from "./page/page.ts";
import type { PageDraft } from "./page-draft.ts";
import { partsOf } from "./page-parts.ts";
import { typeParts } from "./part-types.ts";
import { usualLook } from "./text-line.ts";

/** Second pass: decides what everything is, now that all pages are known. */
export function layOut(
  drafts: readonly PageDraft[],
  outline: readonly OutlineEntry[],
): readonly LaidOutPage[] {
  const usual = usualLook(drafts);
  const typed = typeParts(
    drafts.map((draft) => partsOf(draft, usual)),
    { usual, outline },
  );
  const pages = placeFootnotes(typed, usual);
  const levels = headingLevels(pages);
  return joinTables(joinParagraphs(pages.map((page) => laidOutPage(page, levels))));
}
