import type { Figure } from "./report.ts";

interface Taken {
  readonly name: string;
  readonly size: number;
  readonly ms: number;
}

const SLOWEST = 10;
const MAX_RATIO = 5;
/** With fewer of its size a mean says nothing. */
const FEWEST = 3;

/** The slowest of all, each beside the mean of those that are half to twice as large. */
export function slowestFigure(what: string, all: readonly Taken[]): Figure {
  const slowest = all
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST)
    .map(({ name, size, ms }) => {
      const alike = all.filter((other) => other.size >= size / 2 && other.size <= size * 2);
      const mean = alike.reduce((sum, other) => sum + other.ms, 0) / alike.length;
      return { name, ms, ratio: alike.length < FEWEST ? 1 : ms / mean };
    })
    .toSorted((one, other) => other.ratio - one.ratio);
  const [worst] = slowest;
  return {
    name: `the ${SLOWEST} slowest of ${all.length} ${what}, CPU beside the mean of their size`,
    value: `≤ ${worst?.ratio.toFixed(1)} × (${worst?.name}, ${worst?.ms.toFixed(0)} ms)`,
    limit: `≤ ${MAX_RATIO} ×`,
    isMet: (worst?.ratio ?? 0) <= MAX_RATIO,
  };
}

/** Processor time of this process. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
