import { expect, test } from "vitest";

import { givenAddress } from "@pergamon-dev/kit/address";
import { KnownLinks } from "./known-links.ts";

test("links of a crawl that are known need no second look, those of other crawls do", () => {
  const known = new KnownLinks();
  known.add({ number: 1 }, ["https://shop.test/a"]);
  const urls = ["https://shop.test/a", "https://shop.test/b"].map(givenAddress);
  expect(known.without({ number: 1 }, urls)).toEqual(["https://shop.test/b"]);
  expect(known.without({ number: 2 }, urls)).toEqual(urls);
});

test("no more are remembered than fit: the oldest may be new again", () => {
  const known = new KnownLinks();
  const urls = Array.from({ length: 60_000 }, (_, index) => givenAddress(`https://shop.test/${index}`));
  known.add({ number: 1 }, urls);
  expect(known.without({ number: 1 }, urls).length).toBeGreaterThanOrEqual(10_000);
});
