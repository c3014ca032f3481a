import type { networkInterfaces } from "node:os";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ServiceError } from "../../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import { NetworkError, type NetworkErrorKind } from "@pergamon-dev/kit/network-error";
import { Outages } from "../../net/outages.ts";
import { never, visitOf } from "../visit.suite.ts";
import { refusalOf } from "../engines/network-refusal.ts";
import { openLadder } from "./fallback.ts";
import { engineOf } from "./fallback.suite.ts";

type Interfaces = ReturnType<typeof networkInterfaces>;
const interfacesOf = (members: object) => members as Interfaces;
const LOOPBACK = interfacesOf({ lo: [{ internal: true }] });
const ONLINE = interfacesOf({ lo: [{ internal: true }], eth0: [{ internal: false }] });
const NONE = interfacesOf({});
const FAR = "http://site.test/";
const NEAR = "http://127.0.0.1:8080/";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A visit that fails after ten seconds. In the middle the machine has these interfaces for three. */
async function failureOf(url: string, meanwhile: Interfaces, kind: NetworkErrorKind) {
  let interfaces = ONLINE;
  const visit = visitOf({ url });
  const engine = engineOf("http", {
    async visit() {
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      return refusalOf(new NetworkError(kind, "Failed."), visit);
    },
  });
  const outages = new Outages(() => interfaces);
  const fallback = openLadder({ engines: [engine], proxies: () => [], countText: async () => 0, outages });
  const failure = fallback.acquire(visit, never).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(4000);
  interfaces = meanwhile;
  await vi.advanceTimersByTimeAsync(3000);
  interfaces = ONLINE;
  await vi.advanceTimersByTimeAsync(3000);
  const ended = await failure;
  expect(vi.getTimerCount()).toBe(0);
  const timeout = new ServiceError("SCRAPE_TIMEOUT");
  expect(fallback.explain(timeout, url, Date.now())).toBe(timeout);
  return ownFailure(ended);
}

test("a system that does not tell its interfaces says nothing of a failure", () => {
  const outages = new Outages(() => JSON.parse("no interfaces") as Interfaces);
  expect(outages.hadOne(new URL(FAR), 0)).toBe(false);
});

test.each([
  [FAR, NONE, "timeout", "network"],
  [FAR, LOOPBACK, "reset", "network"],
  [FAR, LOOPBACK, "refused", undefined],
  [FAR, ONLINE, "timeout", undefined],
  [NEAR, NONE, "unreachable", "network"],
  [NEAR, LOOPBACK, "timeout", undefined],
] as const)("the failure of a visit that an outage came into: %s, %j, %s", async (url, left, kind, part) => {
  expect(await failureOf(url, left, kind)).toBe(part);
});
