import { describe, expect, test } from "vitest";

import { evenShare } from "./quota.ts";

/** Of seats and waiting requests elsewhere. */
const others = (...uses: readonly (readonly [seats: number, waiting: number])[]) =>
  uses.map(([seats, waiting]) => ({ seats, waiting, oldestMs: waiting > 0 ? 1 : Infinity, limit: 4 }));

describe("the share of a process", () => {
  test.each([
    ["is all where it is alone", 50, others(), 50],
    ["is what others who want little leave", 50, others([3, 0], [0, 2]), 45],
    ["is even where all want more", 50, others([12, 13], [12, 13], [12, 13]), 13],
    ["is rounded down while another has less", 50, others([13, 12], [13, 12], [11, 14]), 12],
    ["leaves out those who want less than theirs", 50, others([2, 0], [24, 30]), 24],
    ["is none where there are fewer seats than processes: they take turns", 1, others([1, 3], [0, 2]), 0],
  ])("%s", (_name, limit, elsewhere, share) => {
    expect(evenShare(limit, elsewhere)).toBe(share);
  });
});
