import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect } from "vitest";

/** A promise about work on foreign text: at three sizes of the worst input, each twice the one before. */
export interface Law<Input> {
  /** Of the smallest input, in units of the maker's. The largest is as much as is ever read. */
  readonly size: number;
  make(size: number): Input;
  /** Does the work. What it returns is held while its memory is measured. */
  run(input: Input): unknown;
  /** Default: true. False: it runs in a thread or a process of its own, so it need not give turns. */
  readonly isOnMainThread?: boolean;
}

/** Twice the input may take so many times as long: twice, and some for noise. Squares take four times as long. */
const GROWTH = 2.8;
/** Below this neither time nor memory says anything about growth. */
const NOISE_MS = 8;
const NOISE_BYTES = 4 * 1024 * 1024;
/** Processor time between two turns of the event loop. */
const MAX_BREAK_MS = 20;
/** The least of some tries: collections of other tests' memory count, too. */
const TRIES = 5;

/** Time and memory are linear in the input, and other work has its turn every 20 ms. */
export async function expectLaw<Input>(law: Law<Input>): Promise<void> {
  const measured: Measured[] = [];
  for (const factor of [1, 2, 4]) measured.push(await measure(law, law.make(law.size * factor)));
  const [first, , last] = measured as [Measured, Measured, Measured];
  const growth = (of: "totalMs" | "bytes", noise: number) =>
    Math.sqrt(Math.max(last[of], noise) / Math.max(first[of], noise));
  expect(growth("totalMs", NOISE_MS), `time: ${told(measured)}`).toBeLessThan(GROWTH);
  expect(growth("bytes", NOISE_BYTES), `memory: ${told(measured)}`).toBeLessThan(GROWTH);
  if (law.isOnMainThread !== false) expect(last.breakMs, told(measured)).toBeLessThanOrEqual(MAX_BREAK_MS);
}

interface Measured {
  readonly totalMs: number;
  readonly breakMs: number;
  /** What the result holds. */
  readonly bytes: number;
}

/** The best of some tries, which end as soon as one holds. */
async function measure<Input>({ run }: Law<Input>, input: Input): Promise<Measured> {
  let best: Measured = { totalMs: Infinity, breakMs: Infinity, bytes: heldBytes() };
  let result: unknown;
  for (let tries = 0; tries < TRIES && (tries < 2 || best.breakMs > MAX_BREAK_MS); tries += 1) {
    const turns = watchTurns();
    result = await run(input);
    const { totalMs, breakMs } = turns.end();
    best = {
      ...best,
      totalMs: Math.min(best.totalMs, totalMs),
      breakMs: Math.min(best.breakMs, breakMs),
    };
  }
  const bytes = heldBytes() - best.bytes;
  return { ...best, bytes: result === undefined ? 0 : bytes };
}

/** The processor's time is measured, not that of a clock: other work of the machine makes nothing longer. */
function watchTurns() {
  const startMs = processorMs();
  let turnMs = startMs;
  let breakMs = 0;
  let isOver = false;
  const note = () => {
    const nowMs = processorMs();
    breakMs = Math.max(breakMs, nowMs - turnMs);
    turnMs = nowMs;
  };
  const tick = () => {
    note();
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    end() {
      note();
      isOver = true;
      return { totalMs: processorMs() - startMs, breakMs };
    },
  };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function told(measured: readonly Measured[]): string {
  return measured
    .map(
      ({ totalMs, breakMs, bytes }) =>
        `${Math.round(totalMs)} ms (break ${Math.round(breakMs)} ms), ${Math.round(bytes / 1024)} KB`,
    )
    .join("; ");
}
