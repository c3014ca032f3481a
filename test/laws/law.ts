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
/** Work is measured again, and the least counts, where it seems to break its law: collections of memory take time, too. */
const TRIES = 12;

/** Time and memory are linear in the input, and other work has its turn every 20 ms. */
export async function expectLaw<Input>(law: Law<Input>): Promise<void> {
  const inputs = [1, 2, 4].map((factor) => law.make(law.size * factor));
  // Compiles the code.
  await law.run(inputs[0] as Input);
  let measured: readonly Measured[] = [];
  for (let tries = 0; tries < TRIES && (tries === 0 || faultOf(law, measured)); tries += 1) {
    const again: Measured[] = [];
    for (const input of inputs) again.push(await measure(law, input));
    measured = tries === 0 ? again : again.map((one, index) => least(one, measured[index] ?? one));
  }
  expect(faultOf(law, measured)).toBeUndefined();
}

interface Measured {
  readonly totalMs: number;
  readonly breakMs: number;
  /** What the result holds. */
  readonly bytes: number;
}

function faultOf(
  { isOnMainThread = true }: Pick<Law<never>, "isOnMainThread">,
  measured: readonly Measured[],
): string | undefined {
  const [first, , last] = measured as [Measured, Measured, Measured];
  const growth = (of: "totalMs" | "bytes", noise: number) =>
    Math.sqrt(Math.max(last[of], noise) / Math.max(first[of], noise));
  const faults = [
    ...(growth("totalMs", NOISE_MS) >= GROWTH ? ["time"] : []),
    ...(growth("bytes", NOISE_BYTES) >= GROWTH ? ["memory"] : []),
    ...(isOnMainThread && last.breakMs > MAX_BREAK_MS ? ["break"] : []),
  ];
  return faults.length === 0 ? undefined : `${faults.join(", ")}: ${measured.map(told).join("; ")}`;
}

function least(one: Measured, other: Measured): Measured {
  return {
    totalMs: Math.min(one.totalMs, other.totalMs),
    breakMs: Math.min(one.breakMs, other.breakMs),
    bytes: Math.min(one.bytes, other.bytes),
  };
}

async function measure<Input>({ run }: Law<Input>, input: Input): Promise<Measured> {
  const before = heldBytes();
  const turns = watchTurns();
  const result = await run(input);
  const times = turns.end();
  return { ...times, bytes: result === undefined ? 0 : heldBytes() - before };
}

/**
 * The shorter of the processor's time and that of a clock: other work of the machine makes the second longer, helping
 * threads of the engine the first.
 */
function watchTurns() {
  const start = now();
  let turn = start;
  let breakMs = 0;
  let isOver = false;
  const note = () => {
    breakMs = Math.max(breakMs, since(turn));
    turn = now();
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
      return { totalMs: since(start), breakMs };
    },
  };
}

interface Moment {
  readonly processorMs: number;
  readonly clockMs: number;
}

function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { processorMs: (user + system) / 1000, clockMs: performance.now() };
}

function since({ processorMs, clockMs }: Moment): number {
  const { processorMs: byProcessor, clockMs: byClock } = now();
  return Math.min(byProcessor - processorMs, byClock - clockMs);
}

function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function told({ totalMs, breakMs, bytes }: Measured): string {
  return `${Math.round(totalMs)} ms (break ${Math.round(breakMs)} ms), ${Math.round(bytes / 1024)} KB`;
}
