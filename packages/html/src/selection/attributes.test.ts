import { expect, test } from "vitest";

import { collectAttributes } from "./attributes.ts";
import { parseHtml } from "../parser/parse.ts";

const PAGE = parseHtml(`<html><head><meta name=a content=b></head><body><a href=/1 data-id=x>1</a>
  <a data-href=/2>2</a><a>3</a><a href="">4</a></body></html>`);

test.each([
  ["a", "href", ["/1", "/2", ""]],
  ["a", "HREF", ["/1", "/2", ""]],
  ["a", "id", ["x"]],
  ["meta", "content", ["b"]],
  ["p", "id", []],
  ["a[", "href", []],
])("%s %s", (selector, attribute, values) => {
  expect(collectAttributes(PAGE, [{ selector, attribute }])).toEqual([{ selector, attribute, values }]);
});

test("one entry per request, in order", () => {
  const wanted = [
    { selector: "meta", attribute: "name" },
    { selector: "a", attribute: "none" },
  ];
  expect(collectAttributes(PAGE, wanted).map((entry) => entry.values)).toEqual([["a"], []]);
});
