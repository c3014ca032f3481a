import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { expect, test } from "vitest";

import { openPageThreads } from "./threads.ts";

/** Less than half of what V8 makes of them. */
const FORGOTTEN_BYTES = 250_000;
/** Little fits in, so all of it is collected soon. */
const MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** Compiles 200 functions, then makes garbage until all has been collected eight times. Tells the bytes of code after both. */
const PROGRAM = `
  const { parentPort } = require("node:worker_threads");
  const { PerformanceObserver, constants } = require("node:perf_hooks");
  const { getHeapCodeStatistics } = require("node:v8");
  let collections = 0;
  const count = ({ detail }) => { collections += detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR ? 1 : 0; };
  new PerformanceObserver((list) => list.getEntries().forEach(count)).observe({ entryTypes: ["gc"] });
  const steps = Array.from({ length: 60 }, (_, step) => "x = (x * " + (step + 3) + ") % 1000;").join("");
  const body = (index) => "function f" + index + "() { let x = " + index + ";" + steps + "return x; }";
  const functions = (0, eval)("[" + Array.from({ length: 200 }, (_, index) => body(index)).join() + "]");
  for (let round = 0; round < 20; round += 1) for (const one of functions) one();
  const codeBytes = () => getHeapCodeStatistics().code_and_metadata_size;
  const used = codeBytes();
  const objects = [];
  const litter = (round) => {
    if (collections >= 8) return parentPort.postMessage([used, codeBytes(), functions.length]);
    objects[round % 4] = Array.from({ length: 20_000 }, (_, index) => ({ index }));
    setImmediate(litter, round + 1);
  };
  litter(0);
`;

test("code that no longer runs is forgotten, whichever compiler has made it", async () => {
  const threads = openPageThreads({ most: 1, onError: (failure) => expect.unreachable(String(failure)) });
  const worker = new Worker(PROGRAM, { eval: true, resourceLimits: MEMORY });
  try {
    const [[used, later]] = (await once(worker, "message")) as [[number, number]];
    expect(used - later).toBeGreaterThan(FORGOTTEN_BYTES);
  } finally {
    await worker.terminate();
    await threads.close();
  }
});
