import { processTree } from "../../test/process-tree.ts";
import type { Figure } from "./report.ts";

const WARM_UP = 15;
const PAGES = 40;
const ROUNDS = 3;

/** Milliseconds per page: processor time of the whole process tree, and the median on the clock. */
interface Cost {
  readonly cpuMs: number;
  readonly medianMs: number;
  readonly pagesPerSecond: number;
}

/** Runs so many pages, so many at once. */
export type Measure = (pages: number, connections: number) => Promise<Cost>;

/** Measures runs of pages that the process `pid`, and what it started, work on. */
export async function measurer(
  pid: number,
  run: (pages: number, connections: number) => Promise<readonly number[]>,
): Promise<Measure> {
  const tree = processTree(pid);
  await run(WARM_UP, 1);
  return async (pages, connections) => {
    const cpuBefore = tree.cpuMs();
    const startedAt = performance.now();
    const times = [...(await run(pages, connections))].sort((a, b) => a - b);
    const tookMs = performance.now() - startedAt;
    return {
      cpuMs: (tree.cpuMs() - cpuBefore) / pages,
      medianMs: times[Math.floor(times.length / 2)] ?? 0,
      pagesPerSecond: (pages * 1000) / tookMs,
    };
  };
}

/** What a page costs one after the other. */
export async function costFigures(ours: Measure, floor: Measure): Promise<readonly Figure[]> {
  const rounds: (readonly [Cost, Cost])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push([await ours(PAGES, 1), await floor(PAGES, 1)]);
  return [
    ratioFigure(
      "CPU",
      1.25,
      rounds.map(([a, b]) => [a.cpuMs, b.cpuMs]),
    ),
    ratioFigure(
      "median time",
      1.15,
      rounds.map(([a, b]) => [a.medianMs, b.medianMs]),
    ),
  ];
}

function ratioFigure(what: string, limit: number, pairs: readonly (readonly [number, number])[]): Figure {
  const sorted = [...pairs].sort(([a, b], [c, d]) => a / b - c / d);
  const [ours = 0, base = 1] = sorted[Math.floor(sorted.length / 2)] ?? [];
  return {
    name: `scrape by browser, ${what} against a warm tab and its DOM alone`,
    value: `${(ours / base).toFixed(2)} × (${ours.toFixed(0)} against ${base.toFixed(0)} ms)`,
    limit: `≤ ${limit} ×`,
    isMet: ours / base <= limit,
  };
}

/** Pages per second, so many at a time. */
export async function throughputFigure(ours: Measure, floor: Measure, connections: number): Promise<Figure> {
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const a = await ours(PAGES, connections);
    const b = await floor(PAGES, connections);
    pairs.push([a.pagesPerSecond, b.pagesPerSecond]);
  }
  const sorted = pairs.sort(([a, b], [c, d]) => a / b - c / d);
  const [rate = 0, base = 1] = sorted[Math.floor(sorted.length / 2)] ?? [];
  return {
    name: `scrapes by browser per second, ${connections} at a time, against warm tabs`,
    value: `${((rate / base) * 100).toFixed(0)} % (${rate.toFixed(1)} against ${base.toFixed(1)} a second)`,
    limit: "≥ 90 %",
    isMet: rate / base >= 0.9,
  };
}
