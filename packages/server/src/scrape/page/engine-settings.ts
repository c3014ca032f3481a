import { setFlagsFromString } from "node:v8";

/** The last version whose optimising compiler is the only one, and takes a third of the first pages' time. */
const WITHOUT_MIDDLE_COMPILER = 20;

/**
 * Lets V8 put less of one function into another when it optimises. With the setting of Node 20 the first 600 pages of a
 * process take 1.1 times as long, later ones the same; newer versions compile in smaller steps anyway.
 */
export function preferSmallFunctions(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (major <= WITHOUT_MIDDLE_COMPILER) setFlagsFromString("--max-inlined-bytecode-size-cumulative=300");
}

/** How far a heap grows beyond what was in use after the last full collection, in percent, before the next one. */
const HEAP_GROWTH_PERCENT = 100;

/**
 * Lets heaps double between full collections. Bodies and texts of pages pass through a heap of 45 MB that V8 alone lets
 * grow by some 5 MB, so that all of it was searched every twenty pages or so, on V8's other threads too. The price is
 * memory: docs/decisions/0020.
 */
export function collectAllLessOften(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
