import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Does much work in steps between which others have their turn.
 * @param step does as much as it is asked for. @returns how much it did: less when nothing is left.
 */
export async function inSteps(count: number, step: (count: number) => Promise<number>): Promise<void> {
  while ((await step(count)) >= count) await nextTurn();
}
