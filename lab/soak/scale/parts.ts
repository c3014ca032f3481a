import { followDocs } from "./docs.ts";
import { cutLines } from "../nodes/cuts.ts";
import { killNodes } from "../nodes/kills.ts";
import { runSuites } from "./suites.ts";
import { upgradeNodes } from "./upgrade.ts";

export interface ScaleOptions {
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
  /** Processes that are killed or paused. */
  readonly kills: number;
  /** Default: 40 seconds, longer than every lease. */
  readonly longPauseMs?: number;
  /** What nodes that are killed use beside Postgres and S3: `pooler`. Default: nothing. */
  readonly beside?: readonly string[];
  /** Which set of stores suites run over. Default: each of them, in turn. */
  readonly stores?: string | undefined;
  /** Parts of paths of test files. Default: all. */
  readonly files?: readonly string[];
  /** An older commit, beside whose build this one runs. */
  readonly against?: string | undefined;
  /** `1/4` for the first quarter of the test files. */
  readonly shard?: string | undefined;
}

export interface ScaleReport {
  readonly figures: string;
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

export type ScalePart = (options: ScaleOptions) => Promise<ScaleReport>;

/** One line per part of `npm run soak -- scale`. */
const scaleParts: Readonly<Record<string, ScalePart>> = {
  kills: killNodes,
  cuts: cutLines,
  docs: followDocs,
  suites: runSuites,
  upgrade: upgradeNodes,
};

/** @param wanted the name of one. Default: all. */
export async function runScaleParts(wanted: string | undefined, options: ScaleOptions): Promise<ScaleReport> {
  const figures: string[] = [];
  const problems: string[] = [];
  for (const [name, part] of Object.entries(scaleParts)) {
    if (wanted !== undefined && wanted !== name) continue;
    const report = await part(options);
    figures.push(`${name}: ${report.figures}`);
    problems.push(...report.problems.map((problem) => `${name}: ${problem}`));
  }
  return { figures: figures.join("; "), problems };
}
