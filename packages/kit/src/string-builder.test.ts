import { expect, test } from "vitest";

import { StringBuilder } from "./string-builder.ts";

function built(pieces: readonly string[]): string {
  const builder = new StringBuilder();
  for (const piece of pieces) builder.add(piece);
  return builder.toString();
}

test.each([0, 1, 2, 4095, 4096, 4097, 8192, 20_000])("%i pieces are joined in their order", (count) => {
  const pieces = Array.from({ length: count }, (_piece, index) => `${index},`);
  expect(built(pieces)).toBe(pieces.join(""));
});

test("empty pieces and halves of characters come through", () => {
  expect(built(["", "\uD83D", "\uDC0E", "", "é"])).toBe("🐎é");
  expect(built([""])).toBe("");
});

test("it can be read in between, any number of times", () => {
  const builder = new StringBuilder();
  for (let round = 1; round <= 4; round += 1) {
    for (let count = 0; count < 2500; count += 1) builder.add("x");
    expect(builder.toString()).toBe("x".repeat(round * 2500));
    expect(builder.toString()).toHaveLength(round * 2500);
  }
});
