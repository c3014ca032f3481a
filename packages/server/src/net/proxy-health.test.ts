import { expect, test } from "vitest";

import type { Proxy } from "./proxies.ts";
import { ProxyHealth } from "./proxy-health.ts";

const first: Proxy = { tier: "basic", country: "DE", url: "http://first" };
const second: Proxy = { tier: "basic", country: "DE", url: "http://second" };
const french: Proxy = { tier: "basic", country: "FR", url: "http://french" };

test("a proxy that failed rests for a minute", () => {
  let nowMs = 0;
  const health = new ProxyHealth(() => [first, second], { clock: () => nowMs });
  health.failed(first);
  for (let round = 0; round < 20; round += 1) expect(health.choose("basic", "DE")).toBe(second);
  nowMs = 60_000;
  const chosen = new Set(Array.from({ length: 200 }, () => health.choose("basic", "DE")));
  expect(chosen).toEqual(new Set([first, second]));
});

test("the only proxy that serves is tried again, and none elsewhere instead", () => {
  const health = new ProxyHealth(() => [first, french]);
  health.failed(first);
  expect(health.choose("basic", "DE")).toBe(first);
  expect(health.choose("basic", "IT")).toBe("none-for-country");
});
