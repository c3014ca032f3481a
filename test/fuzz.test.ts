import { beforeAll, expect, test } from "vitest";

import { fuzzedBody, fuzzRequests } from "./fuzzed-requests.ts";
import { addFuzzPages } from "./fuzz-pages.ts";
import { openWorld, type World } from "./world.ts";

/** `npm run soak -- fuzz` sends 20,000. */
const REQUESTS = 500;

let world: World;

beforeAll(async () => {
  // Without a browser that answers: how long pages are waited for is no part of this.
  world = await openWorld({ BROWSER_URLS: "ws://127.0.0.1:1", RATE_LIMIT: "off", TEAM_CONCURRENCY: "off" });
});

test("whatever is sent is answered as declared, and nothing is unexpected", async () => {
  const pages = addFuzzPages(world.site);
  const { answers, problems } = await fuzzRequests({
    baseUrl: world.baseUrl,
    pages,
    firstSeed: 1,
    count: REQUESTS,
  });
  expect(problems).toEqual([]);
  for (const status of [200, 400]) expect(answers.get(status)).toBeGreaterThan(REQUESTS / 20);
}, 120_000);

test("a seed makes the same body each time, and another makes another", () => {
  const pages = ["http://127.0.0.1:1/"];
  const bodies = Array.from({ length: 60 }, (_, seed) => fuzzedBody(seed, pages));
  expect(bodies).toEqual(Array.from({ length: 60 }, (_, seed) => fuzzedBody(seed, pages)));
  expect(new Set(bodies).size).toBeGreaterThan(50);
});
