import { isEmpty, type Selection } from "../html/selection.ts";
import { adjustChances } from "./adjust.ts";
import { chooseBlocks } from "./choose.ts";
import { embeddedContent } from "./embedded.ts";
import { writeFeatures } from "./features.ts";
import { type Model, shippedModel } from "./model.ts";
import { narrowTo } from "./narrow.ts";
import { type PageTables, readPage } from "./page-tables.ts";
import { Rows } from "./rows.ts";
import { withScriptlessContent } from "./scriptless.ts";

/** Blocks that are described and judged at a time: their rows stay in the processor's cache. */
const BATCH = 128;

/** From so many blocks on, not every block is judged: one stands for the next ones, too. */
const MAX_JUDGED = 20_000;

/**
 * The part of a selection that a reader came for: without navigation, headers, footers and other furniture of the site.
 * Never empty for a selection that has text.
 */
export function selectMainContent(selection: Selection, pageUrl: string): Selection {
  const model = shippedModel();
  const readable = withScriptlessContent(selection);
  const embedded = embeddedContent(readable);
  if (embedded) return embedded;
  const page = readPage(readable, pageUrl, model.lexica);
  return keepContent(readable, page, judgeBlocks(page, model));
}

/** The part of a page whose blocks are likely to be content. */
export function keepContent(selection: Selection, page: PageTables, chances: Float32Array): Selection {
  const narrowed = narrowTo(selection, page, chooseBlocks(page, adjustChances(page, chances)));
  return isEmpty(narrowed) ? selection : narrowed;
}

/** How likely each block is to be content, between 0 and 1. */
function judgeBlocks(page: PageTables, model: Model): Float32Array {
  const { size } = page.blocks;
  const step = Math.ceil(size / MAX_JUDGED) || 1;
  const chances = new Float32Array(size);
  const rows = new Rows(BATCH, model.columns);
  for (let from = 0; from < size; from += BATCH * step) {
    const blocks: number[] = [];
    for (let block = from; block < Math.min(size, from + BATCH * step); block += step) blocks.push(block);
    rows.rewind();
    writeFeatures(page, blocks, rows);
    const judged = rows.values.subarray(0, blocks.length * model.columns);
    model.score(judged).forEach((chance, at) => {
      const block = blocks[at] ?? size;
      chances.fill(chance, block, block + step);
    });
  }
  return chances;
}
