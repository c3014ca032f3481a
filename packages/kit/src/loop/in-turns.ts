import { setImmediate as nextTurn } from "node:timers/promises";

/** Time spent on an external list before other work has its turn. */
const TURN_MS = 5;

// NOTE: a process has one event loop, so all lists share one queue. Only one list is worked on between two
// turns.
let line: Promise<void> = Promise.resolve();

/**
 * Processes each item of a list whose length or content others decide. Other work has its turn every 5 ms.
 * @throws errors of `work`; the signal's reason once it is aborted.
 */
export async function forEachInTurns<Item>(
  items: Iterable<Item>,
  signal: AbortSignal,
  work: (item: Item, index: number) => unknown,
): Promise<void> {
  let index = 0;
  let startMs = performance.now();
  for (const item of items) {
    if (performance.now() - startMs > TURN_MS) {
      await nextInLine();
      signal.throwIfAborted();
      startMs = performance.now();
    }
    const done = work(item, index);
    if (done instanceof Promise) await done;
    index += 1;
  }
}

function nextInLine(): Promise<void> {
  line = line.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return line;
}

/**
 * Does much work in steps, between which other work runs.
 * @param step does at most the requested amount. @returns the amount done: less when nothing is left.
 */
export async function inSteps(count: number, step: (count: number) => Promise<number>): Promise<void> {
  while ((await step(count)) >= count) await nextTurn();
}
