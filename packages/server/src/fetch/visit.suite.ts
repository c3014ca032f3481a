import { createServer } from "node:net";

import type { Attempt } from "./engine.ts";
import type { Visit } from "./visit.ts";

export const never = new AbortController().signal;

export function visitOf(changes: Partial<Visit> = {}): Visit {
  return {
    url: "http://site.test/page",
    teamId: "team",
    headers: {},
    country: "US",
    proxyCountry: undefined,
    languages: [],
    skipTlsVerification: true,
    proxy: "auto",
    maxBodyBytes: 1_000_000,
    browserFeatures: [],
    browser: {
      readyWithinMs: 1000,
      waitForMs: 0,
      mobile: false,
      blockAds: true,
      profile: undefined,
      actions: [],
    },
    prefersHttp: false,
    ...changes,
  };
}

export function attemptOf(changes: Partial<Visit> = {}): Attempt {
  return { visit: visitOf(changes), tier: "basic", proxy: undefined };
}

/** A port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
