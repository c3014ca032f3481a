import { expect, test } from "vitest";

import { givenAddress } from "@pergamon-dev/kit/address";
import { KnownLinks } from "./url-policy.ts";

test("links of a crawl that are known need no second look, those of other crawls do", () => {
  const known = new KnownLinks();
  known.add("one", ["https://shop.test/a"]);
  const urls = ["https://shop.test/a", "https://shop.test/b"].map(givenAddress);
  expect(known.without("one", urls)).toEqual(["https://shop.test/b"]);
  expect(known.without("two", urls)).toEqual(urls);
});

test.each([60_000, 15_000])("no more are remembered than fit, the oldest may be new again: %i", (length) => {
  const word = "a".repeat(length < 50_000 ? 1000 : 0);
  const urls = Array.from({ length }, (_, index) => givenAddress(`https://shop.test/${index}${word}`));
  const known = new KnownLinks();
  known.add("one", urls);
  expect(known.without("one", urls).length).toBeGreaterThanOrEqual(5000);
  known.letGo();
  expect(known.without("one", urls)).toHaveLength(length);
});
