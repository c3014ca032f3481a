import { expect, test } from "vitest";

import { htmlToMarkdown } from "../index.ts";

const around = (frame: string): string =>
  `<title>Own</title><main><p>Before it.</p>${frame}<p>After it.</p></main>`;
const read = (frame: string): string => htmlToMarkdown(around(frame), { onlyMainContent: false });

test.each([
  [
    "escaped",
    `<iframe width=9 srcdoc="&lt;h2&gt;Notice&lt;/h2&gt;&lt;p&gt;A &amp;amp; B&lt;/p&gt;"></iframe>`,
  ],
  [
    "with signs that need no escape",
    `<iframe srcdoc='<h2>Notice</h2><p title="x>y">A &amp; B</p>'></iframe>`,
  ],
  [
    "with a head",
    `<iframe srcdoc="<html><head><title>T</title><style>p{}</style></head><body><h2>Notice</h2>A &amp; B"/></iframe>`,
  ],
  ["in a frame", `<iframe srcdoc="<iframe srcdoc='<h2>Notice</h2>A &amp;amp; B'></iframe>">Old</iframe>`],
])("a document in a frame stands where the frame stands: %s", (_, frame) => {
  expect(read(frame)).toBe("Before it.\n\n## Notice\n\nA & B\n\nAfter it.");
});

test("frames that hold themselves end, and a tag that does not end is no frame", () => {
  let frame = "deep";
  for (let level = 0; level < 6; level++)
    frame = `<iframe srcdoc="${frame.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`;
  expect(read(frame)).toBe("Before it.\n\nAfter it.");
  expect(read(`<p>srcdoc</p><iframe srcdoc="never`)).toContain("Before it.");
  const before = process.cpuUsage();
  htmlToMarkdown('<iframe srcdoc="<p>x'.repeat(100_000));
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
});
