import { findPricePlaces } from "../../packages/facts/src/product/price-place.ts";
import { gatherEvidence } from "../../packages/facts/src/structured/evidence.ts";
import { lazy } from "../../packages/kit/src/lazy.ts";
import { baseUrlOf } from "../../packages/html/src/selection/base-url.ts";
import { extractMetadata } from "../../packages/html/src/selection/metadata.ts";
import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { selectReadable } from "../../packages/html/src/selection/scriptless.ts";
import { showsSame, withAlso } from "../../packages/html/src/selection/selection.ts";
import { embeddedContent } from "../../packages/html/src/main-content/select.ts";
import { findSamples } from "../../packages/html/src/main-content/select.ts";
import { keepContent } from "../../packages/html/src/main-content/select.ts";
import { Lexicon } from "../../packages/html/src/main-content/tables/lexicon.ts";
import { readPage } from "../../packages/html/src/main-content/tables/page-tables.ts";
import { toMarkdown } from "../../packages/html/src/markdown/convert.ts";

const EMPTY = { names: new Lexicon([], []), words: new Lexicon([], []) };

/** The Markdown that the service would write of a page, and how many blocks the page has. */
export interface WrittenPage {
  readonly markdown: string;
  readonly blocks: number;
}

/** @param scores how likely each block is to be content; more may follow that belong to other pages */
export function writePage(html: string, url: string, scores: Float32Array): WrittenPage {
  const tree = parseHtml(html);
  const selection = selectReadable(tree);
  const tables = readPage(selection, url, EMPTY);
  const chances = Float32Array.from(findSamples(tables), (sample) => scores[sample] ?? 0);
  const main = embeddedContent(selection) ?? keepContent(selection, tables, chances);
  const metadata = lazy(() => extractMetadata(tree, url));
  const evidence = gatherEvidence({ tree, source: () => html, metadata });
  const isShown = (node: number) => showsSame(main, selection, node);
  const content = withAlso(main, selection, findPricePlaces(evidence, url, isShown));
  return { markdown: toMarkdown(content, baseUrlOf(tree, url)), blocks: tables.blocks.size };
}
