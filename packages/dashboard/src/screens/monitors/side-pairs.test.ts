import { expect, test } from "vitest";

import { sidePairs } from "./side-pairs.ts";

test("what was removed stands beside what was added in its place", () => {
  const diff = "@@ -1,3 +1,4 @@\n # Prices\n-10\n-20\n+12\n same\n+new\n\\ No newline at end of file\n";
  expect(sidePairs(diff)).toEqual([
    { kind: "gap" },
    { kind: "same", before: "# Prices", after: "# Prices" },
    { kind: "edit", before: "10", after: "12" },
    { kind: "edit", before: "20", after: undefined },
    { kind: "same", before: "same", after: "same" },
    { kind: "edit", before: undefined, after: "new" },
  ]);
});

test("very long diffs are cut", () => {
  const lines = Array.from({ length: 5000 }, (_, index) => ` line ${index}\n`).join("");
  expect(sidePairs(`@@ -1,5000 +1,5000 @@\n${lines}`).length).toBeLessThanOrEqual(2001);
});
