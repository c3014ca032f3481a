import type { LaidOutPage } from "./laid-out-page.ts";
import { joinParagraphs } from "./joined-paragraphs.ts";
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
  const pages = typeParts(
    drafts.map((draft) => partsOf(draft, usual)),
    { usual, outline },
  );
  const levels = headingLevels(pages);
  return joinParagraphs(pages.map((page) => laidOutPage(page, levels)));
}
