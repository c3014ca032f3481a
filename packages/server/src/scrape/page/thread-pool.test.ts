import { afterEach, describe, expect, test } from "vitest";

import type { ThreadCall } from "./thread-messages.ts";
import { ThreadPool } from "./thread-pool.ts";

const never = new AbortController().signal;

/** A program that does what its task says, as pages do that drive the engine too far. */
const PROGRAM = `
  const { parentPort, threadId } = require("node:worker_threads");
  const say = (reply) => parentPort.postMessage(reply);
  const deeds = {
    name: () => say({ kind: "value", value: threadId }),
    wait: () => {
      const channel = new BroadcastChannel("page threads go on");
      channel.onmessage = () => { channel.close(); deeds.name(); };
    },
    throw: () => say({ kind: "failure", failure: new Error("This page is broken.") }),
    die: () => process.exit(3),
    hang: () => { for (;;); },
    fill: () => { const kept = []; for (;;) kept.push(new Array(10_000).fill(kept.length)); },
    crash: () => setImmediate(() => { throw new Error("Beside the task."); }),
  };
  parentPort.on("message", ({ task }) => deeds[task]());
  say({ kind: "ready" });
`;

function dataUrl(program: string): URL {
  const imported = `import { createRequire } from "node:module"; const require = createRequire("file:///"); ${program}`;
  return new URL(`data:text/javascript,${encodeURIComponent(imported)}`);
}

const failures: unknown[] = [];
const pools: ThreadPool[] = [];

function openPool(most: number, program = PROGRAM): ThreadPool {
  const resourceLimits = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 };
  const onError = (failure: unknown) => void failures.push(failure);
  const pool = new ThreadPool({ program: { file: dataUrl(program), resourceLimits }, most, onError });
  pools.push(pool);
  return pool;
}

function ask(pool: ThreadPool, task: string, { signal = never, bytes = 1000 } = {}): Promise<unknown> {
  const call: ThreadCall = { name: "computeViews", task };
  return pool.run(call, { signal, bytes });
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  failures.length = 0;
});

describe("a thread that fails takes only its page", () => {
  test.each([
    { deed: "die", told: "A page thread ended." },
    { deed: "fill", told: /memory/ },
    { deed: "crash", told: "Beside the task." },
    { deed: "throw", told: "This page is broken." },
  ])("$deed", async ({ deed, told }) => {
    const pool = openPool(1);
    const [before, broken, after] = [ask(pool, "name"), ask(pool, deed), ask(pool, "name")];
    await expect(broken).rejects.toThrow(told);
    expect([typeof (await before), typeof (await after)]).toEqual(["number", "number"]);
    expect(pool.bytesPerThread).toBe(0);
    // The caller was rejected.
    expect(failures).toEqual([]);
  });

  test("hang, until nobody waits for it", async () => {
    const pool = openPool(1);
    await ask(pool, "name");
    const abort = new AbortController();
    const hanging = ask(pool, "hang", { signal: abort.signal });
    const next = ask(pool, "name");
    abort.abort(new Error("Too late."));
    await expect(hanging).rejects.toThrow("Too late.");
    expect(typeof (await next)).toBe("number");
  });
});

test("what waits and is no longer wanted ends no thread", async () => {
  const pool = openPool(1);
  const first = await ask(pool, "name");
  const abort = new AbortController();
  const working = ask(pool, "name");
  const waiting = ask(pool, "hang", { signal: abort.signal });
  abort.abort(new Error("Gone."));
  await expect(waiting).rejects.toThrow("Gone.");
  expect([await working, await ask(pool, "name")]).toEqual([first, first]);
});

const LARGE = { bytes: 1_900_000 };

test("a burst starts no other thread, however large", async () => {
  const pool = openPool(3);
  await ask(pool, "name");
  const named = await Promise.all(Array.from({ length: 50 }, () => ask(pool, "name", LARGE)));
  expect(new Set(named).size).toBe(1);
});

test("where much stays ahead, other threads are started, with short breaks too", async () => {
  const pool = openPool(3);
  const named = new Set<unknown>();
  const isOver = performance.now() + 20_000;
  while (named.size < 2 && performance.now() < isOver)
    for (const id of await Promise.all([0, 1, 2, 3].map(() => ask(pool, "name", LARGE)))) named.add(id);
  expect(named.size).toBe(2);
});

test("what waits behind a page that hangs gets another thread, as long as there are any", async () => {
  const pool = openPool(3);
  const abort = new AbortController();
  const hanging = [0, 1].map(() => ask(pool, "hang", { ...LARGE, signal: abort.signal }));
  const settled = Promise.allSettled(hanging);
  expect(typeof (await ask(pool, "name", LARGE))).toBe("number");
  const last = ask(pool, "hang", { ...LARGE, signal: abort.signal });
  const waiting = ask(pool, "name", LARGE);
  const waits = new Promise((resolve) => setTimeout(resolve, 1500, "waits"));
  await expect(Promise.race([waiting, waits])).resolves.toBe("waits");
  abort.abort(new Error("Enough."));
  await Promise.allSettled([settled, last]);
  expect(typeof (await waiting)).toBe("number");
});

test("several huge pages share the threads that are allowed", async () => {
  const pool = openPool(2);
  const abort = new AbortController();
  const hanging = ask(pool, "hang", { bytes: 100_000_000, signal: abort.signal });
  const settled = Promise.allSettled([hanging]);
  expect(typeof (await ask(pool, "name", { bytes: 100_000_000 }))).toBe("number");
  abort.abort(new Error("Enough."));
  await settled;
});

test("nothing waits behind huge pages, of which others wait for each other", async () => {
  const pool = openPool(1);
  const abort = new AbortController();
  const huge = { bytes: 100_000_000, signal: abort.signal };
  const hanging = [ask(pool, "hang", huge), ask(pool, "hang", huge)];
  const settled = Promise.allSettled(hanging);
  // A second huge page gets no thread: the small ones keep theirs.
  for (let page = 0; page < 3; page += 1) expect(typeof (await ask(pool, "name"))).toBe("number");
  expect(pool.bytesPerThread).toBe(0);
  abort.abort(new Error("Enough."));
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("the thread beside a huge page rests when that is done", async () => {
  const pool = openPool(1);
  const first = await ask(pool, "name");
  const huge = ask(pool, "wait", { bytes: 100_000_000 });
  const beside = await ask(pool, "name");
  expect(beside).not.toBe(first);
  const channel = new BroadcastChannel("page threads go on");
  const message = ["now"] as const;
  const goOn = setInterval(() => channel.postMessage(...message), 20);
  await huge;
  clearInterval(goOn);
  channel.close();
  const later = await Promise.all(Array.from({ length: 6 }, () => ask(pool, "name")));
  expect(new Set(later)).toEqual(new Set([first]));
});

test("a program that cannot be loaded is told, and does not start over and over", async () => {
  const pool = openPool(2, 'throw new Error("No such engine.");');
  await expect(ask(pool, "name")).rejects.toThrow("No such engine.");
  expect(failures).toHaveLength(1);
});

test("after the end nothing is taken, and what was under way is told", async () => {
  const pool = openPool(1);
  const hanging = ask(pool, "hang");
  const [told] = await Promise.all([Promise.allSettled([hanging]), pool.close()]);
  expect(told).toMatchObject([{ reason: { message: "The page threads are closed." } }]);
  await expect(ask(pool, "name")).rejects.toThrow("The page threads are closed.");
});
