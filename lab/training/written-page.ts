import { findPricePlaces } from "../../src/facts/product/price-place.ts";
import { gatherEvidence } from "../../src/facts/structured/evidence.ts";
import { lazy } from "../../src/kit/lazy.ts";
import { baseUrlOf } from "../../src/page-content/html/base-url.ts";
import { extractMetadata } from "../../src/page-content/html/metadata.ts";
import { parseHtml } from "../../src/page-content/html/parser/parse.ts";
import { selectReadable } from "../../src/page-content/html/scriptless.ts";
import { showsSame, withAlso } from "../../src/page-content/html/selection.ts";
import { embeddedContent } from "../../src/page-content/main-content/embedded.ts";
import { findSamples } from "../../src/page-content/main-content/samples.ts";
import { keepContent } from "../../src/page-content/main-content/select.ts";
import { Lexicon } from "../../src/page-content/main-content/tables/lexicon.ts";
import { readPage } from "../../src/page-content/main-content/tables/page-tables.ts";
import { toMarkdown } from "../../src/page-content/markdown/convert.ts";

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
