import { describe, expect, test } from "vitest";

import { Gate } from "./gate.ts";

const NEVER = new AbortController().signal;

/** A task that ends when the test says so, and notes when it began. */
function task(name: string, begun: string[]) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async () => {
    begun.push(name);
    await ended;
  };
  return { run, end };
}

async function settle(): Promise<void> {
  await new Promise(setImmediate);
}

test("a tenant that floods lets another one have the next slot", async () => {
  const gate = new Gate(2);
  const begun: string[] = [];
  const flood = Array.from({ length: 6 }, (_, index) => task(`flood ${index}`, begun));
  const other = [task("other 0", begun), task("other 1", begun)];
  const runs = flood.map(({ run }) => gate.run(run, NEVER, "flood"));
  await settle();
  runs.push(...other.map(({ run }) => gate.run(run, NEVER, "other")));
  expect([gate.running, gate.waiting]).toEqual([2, 6]);
  for (const { end } of [...flood, ...other]) {
    end();
    await settle();
  }
  await Promise.all(runs);
  // "other" has none running, so it gets the next slot; then both have one, and the flood has waited longer.
  expect(begun).toEqual([
    "flood 0",
    "flood 1",
    "other 0",
    "flood 2",
    "flood 3",
    "flood 4",
    "flood 5",
    "other 1",
  ]);
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
});

test("who gives up leaves the queue, and is never started", async () => {
  const gate = new Gate(1);
  const begun: string[] = [];
  const first = task("first", begun);
  const running = gate.run(first.run, NEVER, "a");
  const gone = new AbortController();
  const waiting = gate.run(task("gone", begun).run, gone.signal, "b");
  const next = task("next", begun);
  const following = gate.run(next.run, NEVER, "c");
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  expect(gate.waiting).toBe(1);
  first.end();
  next.end();
  await Promise.all([running, following]);
  expect(begun).toEqual(["first", "next"]);
});

test("one too many is refused at once", async () => {
  const gate = new Gate(1, { most: 1, overflow: () => new Error("full") });
  const first = task("first", []);
  const runs = [gate.run(first.run, NEVER), gate.run(async () => undefined, NEVER)];
  await expect(gate.run(async () => undefined, NEVER)).rejects.toThrow("full");
  first.end();
  await Promise.all(runs);
  await gate.run(async () => undefined, NEVER);
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
});

test("a full queue makes room for who has less in it", async () => {
  const gate = new Gate(1, { most: 3, overflow: () => new Error("full") });
  const begun: string[] = [];
  const first = task("first", begun);
  const runs = [gate.run(first.run, NEVER, "many")];
  const late = [1, 2, 3].map((index) =>
    gate.run(async () => void begun.push(`many ${index}`), NEVER, "many"),
  );
  const other = gate.run(async () => void begun.push("other"), NEVER, "few");
  await expect(late[2]).rejects.toThrow("full");
  await expect(gate.run(async () => undefined, NEVER, "few")).rejects.toThrow("full");
  first.end();
  await Promise.all([...runs, ...late.slice(0, 2), other]);
  expect(begun).toEqual(["first", "other", "many 1", "many 2"]);
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
});

test("a task that fails frees its slot", async () => {
  const gate = new Gate(1);
  await expect(gate.run(() => Promise.reject(new Error("no")), NEVER)).rejects.toThrow("no");
  expect(await gate.run(async () => "yes", NEVER)).toBe("yes");
});

describe("slots of different weight", () => {
  const enter = (gate: Gate, tenant: string, slots: number) => gate.enter({ tenant, slots, signal: NEVER });

  test("no small one passes a large one whose turn it is, and all come in the end", async () => {
    const gate = new Gate(100);
    const first = await enter(gate, "a", 60);
    const order: string[] = [];
    const large = enter(gate, "b", 80).then((leave) => (order.push("large"), leave));
    const small = enter(gate, "c", 40).then((leave) => (order.push("small"), leave));
    await settle();
    expect([order, gate.running]).toEqual([[], 60]);
    first();
    first();
    const leave = await large;
    await settle();
    expect([order, gate.running]).toEqual([["large"], 80]);
    leave();
    (await small)();
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
  });

  test("more than there is counts as all", async () => {
    const gate = new Gate(100);
    const leave = await enter(gate, "a", 1_000_000);
    expect(gate.running).toBe(100);
    leave();
    expect(gate.running).toBe(0);
  });

  test("one tenant has its share only, and the others do not wait for it", async () => {
    const gate = new Gate(100, { share: 50 });
    const held = await enter(gate, "greedy", 50);
    const waiting = enter(gate, "greedy", 10);
    await settle();
    expect([gate.running, gate.waiting]).toEqual([50, 1]);
    const other = await enter(gate, "other", 50);
    expect(gate.running).toBe(100);
    held();
    (await waiting)();
    other();
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
  });

  test("when the large one gives up, those behind it come", async () => {
    const gate = new Gate(100);
    const held = await enter(gate, "a", 60);
    const gone = new AbortController();
    const large = gate.enter({ tenant: "b", slots: 80, signal: gone.signal });
    const small = enter(gate, "c", 40);
    gone.abort(new Error("gone"));
    await expect(large).rejects.toThrow("gone");
    (await small)();
    held();
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
  });
});
