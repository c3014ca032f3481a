import { expect, test } from "vitest";
import { renderToString } from "preact-render-to-string";

import { DifferenceLines, linesOfDiff } from "./difference-lines.tsx";

test("a unified diff has the numbers of its lines, and gaps between its parts", () => {
  const diff =
    "--- a\n+++ b\n@@ -1,2 +1,2 @@\n # Prices\n-10\n+12\n@@ -9 +9,2 @@\n same\n+new\n\\ No newline at end of file\n";
  expect(linesOfDiff(diff)).toEqual([
    { kind: "same", text: "# Prices", a: 1, b: 1 },
    { kind: "removed", text: "10", a: 2 },
    { kind: "added", text: "12", b: 2 },
    { kind: "gap", text: "" },
    { kind: "same", text: "same", a: 9, b: 9 },
    { kind: "added", text: "new", b: 10 },
  ]);
});

test.each([
  ["-One anvil costs 10 crowns.\n+One anvil costs 12 crowns.", ["10", "12"]],
  ["-a b c d e f\n+a c d x f", ["b", "e", "x"]],
  ["-one two three\n+four five six", []],
  ["-<b>1</b> left of ten\n+<b>2</b> left of ten", ["&lt;b>1&lt;/b>", "&lt;b>2&lt;/b>"]],
])("changed words of %j are marked", (diff, words) => {
  const html = renderToString(
    <DifferenceLines label="Changes" lines={linesOfDiff(`@@ -1 +1 @@\n${diff}`)} />,
  );
  const marked = [...html.matchAll(/<mark>(.*?)<\/mark>/g)].flatMap(([, word = ""]) => word.trim() || []);
  expect(marked).toEqual(words);
});
