import type { PageDraft } from "./draft.ts";
import type { LaidOutPage } from "./laid-out-page.ts";
import type { OutlineEntry } from "./page.ts";

export function layOut(
  drafts: readonly PageDraft[],
  _outline: readonly OutlineEntry[],
): readonly LaidOutPage[] {
  return drafts;
}
