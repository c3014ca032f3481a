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

test("no more are remembered than fit: the oldest may be new again", () => {
  const known = new KnownLinks();
  const urls = Array.from({ length: 60_000 }, (_, index) => givenAddress(`https://shop.test/${index}`));
  known.add("one", urls);
  expect(known.without("one", urls).length).toBeGreaterThanOrEqual(10_000);
});
