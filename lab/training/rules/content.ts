import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type * as writtenPageModule from "../written-page.ts";
import { readPages } from "../pages.ts";
import type { Comparison, Rule } from "./rule.ts";
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

interface Sample {
  /** 1 for all pages, 3 for a third of them. */
  readonly every: number;
  /** Folder of what `train.py` wrote. */
  readonly scores: string;
  /** Folder of the scoring tool. */
  readonly tool: string;
}

/**
 * Rules of main content and clutter. Half of a page's score is its F1, the other half what its structure and its
 * snippets keep.
 */
export async function compareContent(
  rules: readonly Rule[],
  folder: string,
  { every, scores, tool }: Sample,
): Promise<readonly Comparison[]> {
  const sources = copySources("content", rules);
  const { writePage } = (await sources.load("lab/training/written-page.ts")) as typeof writtenPageModule;
  const { scorePage } = (await import(pathToFileURL(join(tool, "score.mjs")).href)) as ScoringTool;
  const all = new Float32Array(new Uint8Array(readFileSync(join(scores, "scores.f32"))).buffer);
  const comparisons: Comparison[] = [];
  let from = 0;
  for (const [index, { site, url, truths, html }] of readPages(folder, "old").entries()) {
    const page = html();
    const truth = truths.revised ?? truths.old;
    const strip = truths.revised !== undefined;
    const chances = all.subarray(from);
    const answer = () => writePage(page, url, chances);
    const { answer: written, rules: met } = sources.watched(answer);
    const { markdown, blocks } = written;
    const withRule = valueOf(scorePage(truth, markdown, { strip }));
    from += blocks;
    if (index % every > 0) continue;
    for (const { name } of rules) {
      const other = met.has(name) ? sources.without(name, answer).markdown : markdown;
      const without = other === markdown ? withRule : valueOf(scorePage(truth, other, { strip }));
      comparisons.push({ rule: name, site, withRule, without });
    }
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
