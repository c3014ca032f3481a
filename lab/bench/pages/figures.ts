import type { Figure } from "../report.ts";
import { type Contender, THIS_BUILD } from "./contenders.ts";
import { PEER } from "./peer.ts";
import type { Round } from "./rounds.ts";
import { threadKinds, type ThreadTimes } from "./thread-times.ts";

const MAX_MEGABYTES = 150;
/** Processor time beside another commit, within the noise of a busy machine, and beside the peer. */
const MAX_FIRST = { reached: 1.05, peer: 0.95 };
const MAX_WARM = { reached: 1.05, peer: 0.68 };

/** What was measured: for each round one result per contender. */
export interface Measured {
  readonly contenders: readonly Contender[];
  readonly rounds: readonly (readonly Round[])[];
  readonly pagesPerRound: number;
  /** Rounds in which a new process still compiles its code, and the first one of a warm process. */
  readonly firstRounds: number;
  readonly warmFrom: number;
}

export function pageFigures(measured: Measured): readonly Figure[] {
  const { rounds, pagesPerRound, firstRounds } = measured;
  const warmFrom = Math.min(measured.warmFrom, rounds.length - 1);
  const first = {
    part: `first ${firstRounds * pagesPerRound} pages`,
    from: 0,
    to: firstRounds,
    most: MAX_FIRST,
  };
  const warm = {
    part: `pages ${warmFrom * pagesPerRound + 1} to ${rounds.length * pagesPerRound}`,
    from: warmFrom,
    to: rounds.length,
    most: MAX_WARM,
  };
  return [
    ...[first, warm].flatMap((part) => costFigures(measured, part)),
    ...memoryFigures(measured),
    sameTextFigure(measured),
  ];
}

interface Part {
  readonly part: string;
  readonly from: number;
  readonly to: number;
  readonly most: typeof MAX_FIRST;
}

function costFigures({ contenders, rounds }: Measured, { part, from, to, most }: Part): readonly Figure[] {
  const costs = contenders.map((_, index) => meanTimes(rounds.slice(from, to).map((round) => round[index])));
  const told = contenders
    .map(({ name }, index) => `${name}: ${describeTimes(costs[index], name === PEER)}`)
    .join("; ");
  const ours = totalOf(costs[0]);
  const ratioTo = (name: string) => {
    const index = contenders.findIndex((contender) => contender.name === name);
    return index < 0 ? undefined : ours / totalOf(costs[index]);
  };
  const other = contenders.find(({ name }) => name !== THIS_BUILD && name !== PEER)?.name;
  const ratio = other === undefined ? undefined : ratioTo(other);
  const toPeer = ratioTo(PEER);
  return [
    {
      name: `CPU per page, ${part}${other === undefined ? "" : `, against ${other}`}`,
      value: `${ours.toFixed(2)} ms${ratio === undefined ? "" : `, ${ratio.toFixed(2)} ×`} (${told})`,
      limit: ratio === undefined ? "not compared" : `≤ ${most.reached} ×`,
      isMet: ratio === undefined || ratio <= most.reached,
    },
    {
      name: `CPU per page, ${part}, against ${PEER}`,
      value: toPeer === undefined ? "not compared: crw-server is not installed" : `${toPeer.toFixed(2)} ×`,
      limit: `≤ ${most.peer} ×`,
      isMet: toPeer !== undefined && toPeer <= most.peer,
    },
  ];
}

function meanTimes(rounds: readonly (Round | undefined)[]): ThreadTimes {
  const mean = { main: 0, page: 0, V8: 0, others: 0 };
  for (const round of rounds)
    for (const kind of threadKinds) mean[kind] += (round?.times[kind] ?? 0) / rounds.length;
  return mean;
}

/** Of all threads. */
export function totalOf(times: ThreadTimes | undefined): number {
  return threadKinds.reduce((sum, kind) => sum + (times?.[kind] ?? 0), 0);
}

function describeTimes(times: ThreadTimes | undefined, isWhole: boolean): string {
  const total = `${totalOf(times).toFixed(2)} ms`;
  if (isWhole) return total;
  return `${total} = ${threadKinds.map((kind) => `${kind} ${(times?.[kind] ?? 0).toFixed(2)}`).join(", ")}`;
}

function memoryFigures({ contenders, rounds, pagesPerRound, firstRounds }: Measured): readonly Figure[] {
  const course = (index: number) =>
    rounds.map((round) => (round[index]?.megabytes ?? 0).toFixed(0)).join(" ");
  const told = contenders.map(({ name }, index) => `${name}: ${course(index)}`).join("; ");
  const after = (round: number) => {
    const megabytes = rounds[round - 1]?.[0]?.megabytes ?? 0;
    return {
      name: `memory (Pss_Anon) after ${round * pagesPerRound} pages`,
      value: `${megabytes.toFixed(0)} MB${round === rounds.length ? ` (after each ${pagesPerRound} pages, ${told})` : ""}`,
      limit: `≤ ${MAX_MEGABYTES} MB`,
      isMet: megabytes <= MAX_MEGABYTES,
    };
  };
  return [...new Set([Math.min(firstRounds, rounds.length), rounds.length])].map(after);
}

/** A process that gave other Markdown later than at first would be broken, however fast. */
function sameTextFigure({ contenders, rounds }: Measured): Figure {
  const digests = contenders.map(({ name }, index) => {
    const different = [...new Set(rounds.map((round) => round[index]?.digest ?? ""))];
    return { name, different };
  });
  return {
    name: "Markdown of all pages",
    value: digests.map(({ name, different }) => `${name}: ${different.join(", ")}`).join("; "),
    limit: "the same in each round",
    isMet: digests.every(({ name, different }) => name === PEER || different.length === 1),
  };
}
