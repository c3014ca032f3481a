import { isEmpty, type Selection } from "../selection/selection.ts";
import { adjustChances } from "./adjust.ts";
import { chooseBlocks } from "./choose.ts";
import { embeddedContent } from "./embedded.ts";
import { pageNumbers } from "./model/features-page.ts";
import { writeFeatures } from "./model/features.ts";
import { type Model, shippedModel } from "./model/model.ts";
import { narrowTo } from "./narrow.ts";
import { type PageTables, readPage } from "./tables/page-tables.ts";
import { BATCH, Rows } from "./model/rows.ts";
import { findSamples } from "./samples.ts";

/**
 * The part of a selection that a reader came for: without navigation, headers, footers and other furniture of the site.
 * Never empty for a selection that has text.
 */
export function selectMainContent(selection: Selection, pageUrl: string): Selection {
  const model = shippedModel();
  const embedded = embeddedContent(selection);
  if (embedded) return embedded;
  const page = readPage(selection, pageUrl, model.lexica);
  return keepContent(selection, page, judgeBlocks(page, model));
}

/** The part of a page whose blocks are likely to be content. */
export function keepContent(selection: Selection, page: PageTables, chances: Float32Array): Selection {
  const narrowed = narrowTo(selection, page, chooseBlocks(page, adjustChances(page, chances)));
  return isEmpty(narrowed) ? selection : narrowed;
}

/** How likely each block is to be content, between 0 and 1. */
function judgeBlocks(page: PageTables, model: Model): Float32Array {
  const samples = findSamples(page);
  const judged = samples.filter((sample, block) => sample === block);
  const chances = new Float32Array(samples.length);
  const rows = new Rows(model.columns, pageNumbers(page));
  for (let from = 0; from < judged.length; from += BATCH) {
    const blocks = judged.subarray(from, from + BATCH);
    rows.clear();
    writeFeatures(page, blocks, rows);
    const scores = model.score(rows);
    for (let at = 0; at < scores.length; at++) chances[blocks[at] ?? 0] = scores[at] ?? 0;
  }
  // A sample comes before those that it stands for, or is one itself.
  for (let block = 0; block < samples.length; block++) chances[block] = chances[samples[block] ?? 0] ?? 0;
  return chances;
}
