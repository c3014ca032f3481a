import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";

import { baseUrlOf } from "../src/page-content/html/base-url.ts";
import { extractMetadata } from "../src/page-content/html/metadata.ts";
import { parseHtml } from "../src/page-content/html/parser/parse.ts";
import { embeddedContent } from "../src/page-content/main-content/embedded.ts";
import { Lexicon } from "../src/page-content/main-content/tables/lexicon.ts";
import { readPage } from "../src/page-content/main-content/tables/page-tables.ts";
import { findSamples } from "../src/page-content/main-content/samples.ts";
import { keepContent } from "../src/page-content/main-content/select.ts";
import { selectReadable } from "../src/page-content/html/scriptless.ts";
import { showsSame, withAlso } from "../src/page-content/html/selection.ts";
import { toMarkdown } from "../src/page-content/markdown/convert.ts";
import { findPricePlaces } from "../src/facts/product/price-place.ts";
import { gatherEvidence } from "../src/facts/structured/evidence.ts";
import { lazy } from "../src/kit/lazy.ts";
import { readPages } from "./pages.ts";

/** The modules of the scoring tool that lies beside the labelled pages. */
interface ScoringTool {
  scorePage(truth: unknown, markdown: string): unknown;
}
interface ReportTool {
  printReport(result: unknown): void;
}

const EMPTY = { names: new Lexicon([], []), words: new Lexicon([], []) };

const { values } = parseArgs({
  options: {
    pages: { type: "string" },
    tool: { type: "string" },
    out: { type: "string" },
    save: { type: "string" },
  },
});
if (!values.pages || !values.tool || !values.out) {
  throw new Error("usage: evaluate.ts --pages FOLDER --tool FOLDER --out FOLDER [--save FILE]");
}
await evaluate(values.pages, values.tool, values.out);

/** Scores the Markdown that the out-of-fold probabilities of train.py lead to, with the tool that decides. */
async function evaluate(folder: string, tool: string, out: string): Promise<void> {
  const { scorePage } = (await import(pathToFileURL(join(tool, "score.mjs")).href)) as ScoringTool;
  const { printReport } = (await import(pathToFileURL(join(tool, "report.mjs")).href)) as ReportTool;
  const scores = new Float32Array(new Uint8Array(readFileSync(join(out, "scores.f32"))).buffer);
  const started = process.cpuUsage();
  let at = 0;
  let bytes = 0;
  const pages = readPages(folder).map((page) => {
    const html = page.html();
    bytes += Buffer.byteLength(html);
    const tree = parseHtml(html);
    const selection = selectReadable(tree);
    const tables = readPage(selection, page.url, EMPTY);
    const judged = scores.subarray(at, (at += tables.blocks.size));
    const chances = Float32Array.from(findSamples(tables), (sample) => judged[sample] ?? 0);
    const main = embeddedContent(selection) ?? keepContent(selection, tables, chances);
    const metadata = lazy(() => extractMetadata(tree, page.url));
    const evidence = gatherEvidence({ tree, source: () => html, metadata });
    const isShown = (node: number) => showsSame(main, selection, node);
    const content = withAlso(main, selection, findPricePlaces(evidence, page.url, isShown));
    const markdown = toMarkdown(content, baseUrlOf(tree, page.url));
    const truth = JSON.parse(readFileSync(join(folder, "truth", `${page.id}.json`), "utf8")) as unknown;
    return scorePage(truth, markdown);
  });
  if (at !== scores.length) throw new Error("The pages have other blocks than those that were trained on.");
  const { user, system } = process.cpuUsage(started);
  const result = {
    name: "cross-validation",
    set: folder,
    pages,
    totals: { bytes, cpuMs: (user + system) / 1000, wallMs: 0 },
  };
  if (values.save) writeFileSync(values.save, JSON.stringify(result));
  printReport(result);
}
