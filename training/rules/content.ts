import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type * as writtenPageModule from "../written-page.ts";
import { readPages } from "../pages.ts";
import { contentRules } from "./content-rules.ts";
import type { Comparison } from "./rule.ts";
import { copySources } from "./switched-sources.ts";

interface ScoringTool {
  scorePage(truth: unknown, markdown: string, options: { readonly strip: boolean }): PageScore;
}

interface PageScore {
  readonly f1?: number;
  readonly with: number;
  readonly withN: number;
  readonly without: number;
  readonly withoutN: number;
  readonly structure?: Readonly<Record<string, number>>;
}

/**
 * Rules of main content and clutter. Half of a page's score is its F1, the other half what its structure and its
 * snippets keep.
 * @param scores folder of what `train.py` wrote
 */
export async function compareContent(
  folder: string,
  tool: string,
  scores: string,
): Promise<readonly Comparison[]> {
  const sources = copySources("content", contentRules);
  const { writePage } = (await sources.load("training/written-page.ts")) as typeof writtenPageModule;
  const { scorePage } = (await import(pathToFileURL(join(tool, "score.mjs")).href)) as ScoringTool;
  const all = new Float32Array(new Uint8Array(readFileSync(join(scores, "scores.f32"))).buffer);
  const comparisons: Comparison[] = [];
  let from = 0;
  for (const { site, url, truths, html } of readPages(folder, "old")) {
    const page = html();
    const truth = truths.revised ?? truths.old;
    const strip = truths.revised !== undefined;
    const answer = () => writePage(page, url, all.subarray(from));
    const { markdown, blocks } = answer();
    const withRule = valueOf(scorePage(truth, markdown, { strip }));
    for (const { name } of contentRules) {
      const other = sources.without(name, answer).markdown;
      const without = other === markdown ? withRule : valueOf(scorePage(truth, other, { strip }));
      comparisons.push({ rule: name, site, withRule, without });
    }
    from += blocks;
  }
  return comparisons;
}

function valueOf(score: PageScore): number {
  const kinds = Object.values(score.structure ?? {}).filter((kept) => Number.isFinite(kept));
  const kept = kinds.length > 0 ? kinds.reduce((sum, one) => sum + one, 0) / kinds.length : 1;
  const left = score.withoutN > 0 ? score.without / score.withoutN : 0;
  const found = score.withN > 0 ? score.with / score.withN : 1;
  return ((score.f1 ?? found) + (kept + 1 - left) / 2) / 2;
}
