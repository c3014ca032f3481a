import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect } from "vitest";

/** A promise about work on foreign text: at three sizes of the worst input, each twice the one before. */
export interface Law<Input> {
  /** Of the smallest input, in units of the maker's. */
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
/** Work that seems to break its law is measured again, and the least counts: collections of memory take time, too. */
const TRIES = 20;

/** Time and memory are linear in the input, and other work has its turn every 20 ms. */
export async function expectLaw<Input>(law: Law<Input>): Promise<void> {
  const inputs = [1, 2, 4].map((factor) => law.make(law.size * factor));
  // Compiles the code.
  const result = await law.run(inputs[0] as Input);
  const times = await leastOf(inputs, (input) => timesOf(law, input), faultOfTimes(law));
  expect(faultOfTimes(law)(times)).toBeUndefined();
  if (result === undefined) return;
  const sizes = await leastOf(inputs, (input) => sizeOf(law, input), faultOfSizes);
  expect(faultOfSizes(sizes)).toBeUndefined();
}

type Measured = Readonly<Record<string, number>>;

/** Of each input the least of what was measured, until no fault is seen in it. */
async function leastOf<Input, Found extends Measured>(
  inputs: readonly Input[],
  measure: (input: Input) => Promise<Found>,
  faultOf: (found: readonly Found[]) => string | undefined,
): Promise<readonly Found[]> {
  let found: readonly Found[] = [];
  for (let tries = 0; tries < TRIES && (tries === 0 || faultOf(found)); tries += 1) {
    const again: Found[] = [];
    for (const input of inputs) again.push(await measure(input));
    found = again.map((one, index) => least(one, found[index] ?? one));
  }
  return found;
}

function least<Found extends Measured>(one: Found, other: Measured): Found {
  const smaller = ([name, value]: [string, number]) => [name, Math.min(value, other[name] ?? value)];
  return Object.fromEntries(Object.entries(one).map(smaller)) as Found;
}

type Times = Readonly<Record<"totalMs" | "breakMs", number>>;
type Size = Readonly<Record<"bytes", number>>;

function faultOfTimes({ isOnMainThread = true }: Pick<Law<never>, "isOnMainThread">) {
  return (times: readonly Times[]) => {
    const isSlow = growthOf(times, ({ totalMs }) => totalMs, NOISE_MS) >= GROWTH;
    const isLong = isOnMainThread && (times.at(-1)?.breakMs ?? 0) > MAX_BREAK_MS;
    const told = times.map(
      ({ totalMs, breakMs }) => `${totalMs.toFixed()} ms (break ${breakMs.toFixed()} ms)`,
    );
    return isSlow || isLong ? told.join("; ") : undefined;
  };
}

function faultOfSizes(sizes: readonly Size[]): string | undefined {
  const isLarge = growthOf(sizes, ({ bytes }) => bytes, NOISE_BYTES) >= GROWTH;
  return isLarge ? sizes.map(({ bytes }) => `${Math.round(bytes / 1024)} KB`).join("; ") : undefined;
}

/** How much more twice the input takes. */
function growthOf<Found>(found: readonly Found[], of: (one: Found) => number, noise: number): number {
  const [first, , last] = found as [Found, Found, Found];
  return Math.sqrt(Math.max(of(last), noise) / Math.max(of(first), noise));
}

async function timesOf<Input>({ run }: Law<Input>, input: Input): Promise<Times> {
  const turns = watchTurns();
  await run(input);
  return turns.end();
}

/** What the result holds. */
async function sizeOf<Input>({ run }: Law<Input>, input: Input): Promise<Size> {
  const before = heldBytes();
  const result = await run(input);
  const bytes = heldBytes() - before;
  return { bytes: result === undefined ? 0 : bytes };
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
