import { describe, expect, test } from "vitest";

import { connectedRegions, type Region } from "./regions.ts";

/** A grid from a drawing: `#` is a filled cell. */
const regionsOf = (...rows: readonly string[]) =>
  connectedRegions(rows.map((row) => Uint8Array.from(row, (cell) => (cell === "#" ? 1 : 0))));

const box = (top: number, bottom: number, left: number, right: number): Region => ({
  top,
  bottom,
  left,
  right,
});

describe("the parts of a grid", () => {
  test("touch by their sides, not by their corners", () => {
    expect(regionsOf("#.", ".#")).toEqual([box(0, 1, 0, 1), box(1, 2, 1, 2)]);
    expect(regionsOf("##", ".#")).toEqual([box(0, 2, 0, 2)]);
  });

  test("are in the order in which they are read", () => {
    expect(regionsOf("..#", "...", "#.#")).toEqual([box(0, 1, 2, 3), box(2, 3, 0, 1), box(2, 3, 2, 3)]);
  });

  test("are one where they meet only further down", () => {
    expect(regionsOf("#.#", "#.#", "###")).toEqual([box(0, 3, 0, 3)]);
  });

  test("are one where the rectangle of one holds the other", () => {
    expect(regionsOf("#####", "#...#", "#.#.#", "#...#", "#####")).toEqual([box(0, 5, 0, 5)]);
  });

  test("are one where rectangles overlap only once they have grown", () => {
    // The two hooks overlap; their rectangle then reaches over the single cell between them.
    expect(regionsOf("##...", "#..#.", "#.##.", ".....")).toEqual([box(0, 3, 0, 2), box(1, 3, 2, 4)]);
    expect(regionsOf("###.", "#..#", "#.##")).toEqual([box(0, 3, 0, 4)]);
  });

  test("are taken as a whole where cells are scattered", () => {
    const scattered = Array.from({ length: 80 }, (_, row) => (row % 2 ? ".".repeat(80) : "#.".repeat(40)));
    expect(regionsOf(...scattered)).toEqual([box(0, 79, 0, 79)]);
  });

  test("are none of an empty grid", () => {
    expect([regionsOf(), regionsOf(""), regionsOf("..", "..")]).toEqual([[], [], []]);
  });

  test("may have rows of different lengths", () => {
    expect(regionsOf("#", "###", "")).toEqual([box(0, 2, 0, 3)]);
  });
});
