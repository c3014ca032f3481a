import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";

import { figuresOfOld, figuresOfRevised, type ReportTool } from "../quality/page-data/markdown-figures.ts";
import { noteBySite } from "./by-site.ts";
import { readPages } from "./pages.ts";
import { writePage } from "./written-page.ts";

/** The modules of the scoring tool that lies beside the labelled pages. */
interface ScoringTool {
  scorePage(truth: unknown, markdown: string, options?: { readonly strip: boolean }): unknown;
}
interface Printer extends ReportTool {
  printReport(result: unknown): void;
}

const { values } = parseArgs({
  options: {
    pages: { type: "string" },
    tool: { type: "string" },
    out: { type: "string" },
    save: { type: "string" },
    note: { type: "boolean", default: false },
  },
});
if (!values.pages || !values.tool || !values.out) {
  throw new Error("usage: evaluate.ts --pages FOLDER --tool FOLDER --out FOLDER [--save FILE] [--note]");
}
await evaluate(values.pages, values.tool, values.out);

/**
 * Scores the Markdown that the out-of-fold probabilities of train.py lead to, with the tool that decides: by the labels
 * as they came, and by those that were made again.
 */
async function evaluate(folder: string, tool: string, out: string): Promise<void> {
  const { scorePage } = (await import(pathToFileURL(join(tool, "score.mjs")).href)) as ScoringTool;
  const report = (await import(pathToFileURL(join(tool, "report.mjs")).href)) as Printer;
  const scores = new Float32Array(new Uint8Array(readFileSync(join(out, "scores.f32"))).buffer);
  const started = process.cpuUsage();
  let at = 0;
  let bytes = 0;
  const old: unknown[] = [];
  const revised: unknown[] = [];
  for (const page of readPages(folder, "old")) {
    const html = page.html();
    bytes += Buffer.byteLength(html);
    const { markdown, blocks } = writePage(html, page.url, scores.subarray(at));
    at += blocks;
    old.push(scorePage(page.truths.old, markdown));
    if (page.truths.revised !== undefined)
      revised.push(scorePage(page.truths.revised, markdown, { strip: true }));
  }
  if (at !== scores.length) throw new Error("The pages have other blocks than those that were trained on.");
  const { user, system } = process.cpuUsage(started);
  const totals = { bytes, cpuMs: (user + system) / 1000, wallMs: 0 };
  const result = { name: "cross-validation", set: folder, pages: old, totals };
  const again = { ...result, name: "cross-validation, revised truth", pages: revised };
  if (values.save) writeFileSync(values.save, JSON.stringify({ old: result, revised: again }));
  report.printReport(result);
  report.printReport(again);
  if (values.note) noteBySite([...figuresOfOld(report, old), ...figuresOfRevised(report, revised)]);
}
