import { expect, test } from "vitest";

import { usualLimits } from "./usual-limits.ts";

test.each([
  [8, 32_768, { tabs: 32, pages: 512, threads: 7 }],
  [2, 4096, { tabs: 8, pages: 256, threads: 1 }],
  [16, 1024, { tabs: 4, pages: 256, threads: 4 }],
  [16, 512, { tabs: 1, pages: 128, threads: 2 }],
  [1, 256, { tabs: 1, pages: 64, threads: 1 }],
])("%i processors with %i MB have fitting limits", (processors, megabytes, limits) => {
  expect(usualLimits({ processors, memoryBytes: megabytes * 1024 * 1024 })).toEqual(limits);
});
