import { afterAll, beforeEach, expect, test, vi } from "vitest";

import { LineSink, type LineTarget } from "./line-sink.ts";
import { openLog } from "./log.ts";

interface FakeTarget extends LineTarget {
  written: string;
  /** What the next writes fail with; undefined: they succeed. */
  failure: Error | undefined;
  /** How much of a write succeeds. */
  maxBytes: number;
  /** Nothing is taken until it is set free. */
  isStuck: boolean;
  free(): void;
  writes: number;
}

function fakeTarget(): FakeTarget {
  const stuck: (() => void)[] = [];
  const target: FakeTarget = {
    written: "",
    failure: undefined,
    maxBytes: Number.POSITIVE_INFINITY,
    isStuck: false,
    writes: 0,
    write(bytes, done) {
      target.writes += 1;
      const finish = () => {
        const taken = bytes.subarray(0, target.maxBytes);
        target.written += Buffer.from(taken).toString();
        const isShort = taken.byteLength < bytes.byteLength;
        if (target.failure && (isShort || target.maxBytes === 0)) done(target.failure, taken.byteLength);
        else done(undefined, taken.byteLength);
      };
      if (target.isStuck) stuck.push(finish);
      else setImmediate(finish);
    },
    writeNow(bytes) {
      target.written += Buffer.from(bytes).toString();
    },
    free() {
      target.isStuck = false;
      for (const finish of stuck.splice(0)) finish();
    },
  };
  return target;
}

function failing(code: string): Error {
  return Object.assign(new Error(code), { code });
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterAll(() => void vi.useRealTimers());

/** Lets 50 ms pass. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    vi.advanceTimersByTime(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function sinkTo(target: LineTarget, maxWaitingLength?: number) {
  const told: string[] = [];
  const onRecovered = (dropped: number, reason: string) => told.push(`${dropped} ${reason}`);
  const sink = new LineSink({ target, onRecovered, ...(maxWaitingLength && { maxWaitingLength }) });
  return { sink, told };
}

test("lines arrive in order, and those of 10 ms are written together", async () => {
  const target = fakeTarget();
  const { sink } = sinkTo(target);
  for (let line = 0; line < 100; line += 1) sink.write(`line ${line}\n`);
  expect(target.writes).toBe(0);
  await settle();
  expect(target.written).toBe(Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join(""));
  expect(target.writes).toBe(1);
});

test("the end of the process writes what still waits", async () => {
  const target = fakeTarget();
  const { sink } = sinkTo(target);
  const known = process.listeners("exit");
  sink.write("last\n");
  const atExit = process.listeners("exit").filter((listener) => !known.includes(listener));
  for (const listener of atExit) listener(0);
  expect(target.written).toBe("last\n");
  await settle();
  expect(target.written).toBe("last\n");
});

test("what a write did not take is written next, whatever character was cut", async () => {
  const target = fakeTarget();
  target.maxBytes = 1;
  const { sink } = sinkTo(target);
  sink.write("a\n");
  await settle();
  expect(target.written).toBe("a\n");
});

test.each(["ENOSPC", "EPIPE", "EIO", "EFBIG"])(
  "R1b lines that fail with %s are dropped, and counted once when there is room again",
  async (code) => {
    const target = fakeTarget();
    const { sink, told } = sinkTo(target);
    Object.assign(target, { failure: failing(code), maxBytes: 0 });
    for (let line = 0; line < 10; line += 1) {
      sink.write(`lost ${line}\n`);
      await settle();
    }
    expect(target.writes).toBe(10);
    expect(told).toEqual([]);
    target.maxBytes = Number.POSITIVE_INFINITY;
    sink.write("kept 1\n");
    await settle();
    sink.write("kept 2\n");
    await settle();
    expect(target.written).toBe("kept 1\nkept 2\n");
    expect(told).toEqual([`10 ${code}`]);
  },
);

test("R1b a line that was written in part is not continued by the next one", async () => {
  const target = fakeTarget();
  const { sink, told } = sinkTo(target);
  Object.assign(target, { failure: failing("ENOSPC"), maxBytes: 4 });
  sink.write("cut off\n");
  await settle();
  target.maxBytes = Number.POSITIVE_INFINITY;
  sink.write("whole\n");
  await settle();
  expect(target.written).toBe("cut \nwhole\n");
  expect(told).toEqual(["1 ENOSPC"]);
});

test("R1b a reader that only pauses loses nothing", async () => {
  const target = fakeTarget();
  const { sink, told } = sinkTo(target);
  Object.assign(target, { failure: failing("EAGAIN"), maxBytes: 0 });
  sink.write("late\n");
  await settle();
  target.maxBytes = Number.POSITIVE_INFINITY;
  for (let waited = 0; waited < 300; waited += 50) await settle();
  expect(target.written).toBe("late\n");
  expect(told).toEqual([]);
});

test("R1b what nobody takes is bounded, and told once", async () => {
  const target = fakeTarget();
  target.isStuck = true;
  const { sink, told } = sinkTo(target, 1000);
  for (let line = 0; line < 1000; line += 1) sink.write(`${String(line).padStart(9, "0")}\n`);
  await settle();
  expect(target.writes).toBe(1);
  target.free();
  await settle();
  expect(target.written.split("\n")).toHaveLength(100 + 1);
  expect(told).toEqual(["900 the log is not read"]);
});

test("nothing listens to the end of the process while nothing waits", async () => {
  const before = process.listenerCount("exit");
  const target = fakeTarget();
  const { sink } = sinkTo(target);
  sink.write("a\n");
  expect(process.listenerCount("exit")).toBe(before + 1);
  await settle();
  expect(process.listenerCount("exit")).toBe(before);
});

test.each(["json", "pretty"] as const)(
  "R1b a log of format %s says how many lines are missing, and why",
  async (format) => {
    const target = fakeTarget();
    const log = await openLog({ level: "info", format, target });
    Object.assign(target, { failure: failing("ENOSPC"), maxBytes: 0 });
    log.info("lost");
    await settle();
    target.maxBytes = Number.POSITIVE_INFINITY;
    log.info("kept");
    await settle();
    expect(target.written).not.toContain("lost\n");
    expect(target.written).toMatch(
      /kept[^]*Lines of the log could not be written\.[^]*ENOSPC|kept[^]*ENOSPC[^]*Lines/,
    );
    expect(target.written).toMatch(/"?dropped"?: ?1/);
  },
);
