import { homedir } from "node:os";
import { join } from "node:path";

import { findBrowser } from "../../packages/browser/src/launch/find.ts";
import { type LaunchOptions, openLauncher } from "../../packages/browser/src/launch/launch.ts";
import { openSessionBrowser, type SessionBrowser } from "../../packages/browser/src/session-browser.ts";
import { egressBehind } from "../../packages/server/src/net/egress/egress.ts";
import { parseEgressRules } from "../../packages/server/src/net/guard/egress-rules.ts";
import { openGuard } from "../../packages/server/src/net/guard/guard.ts";
import { openResolver } from "../../packages/server/src/net/guard/resolver.ts";

const never = new AbortController().signal;

/** The Chromium of this machine. @throws Error when there is none */
export async function findChromium(): Promise<LaunchOptions> {
  const cacheFolder = join(homedir(), ".cache", "pergamon");
  const { browser } = await findBrowser({ pathVariable: process.env["PATH"] ?? "", cacheFolder });
  if (!browser) throw new Error("There is no browser to measure with.");
  return { ...browser, sandbox: "auto", opensWindows: true };
}

/** A browser of a session that may load pages of this machine. */
export async function startSessionBrowser(chromium: LaunchOptions): Promise<SessionBrowser> {
  const rules = parseEgressRules(["127.0.0.1"]);
  const openEgress = egressBehind(openGuard({ rules, resolver: openResolver({ servers: [] }) }));
  const launch = openLauncher(chromium);
  return openSessionBrowser({ launch, openEgress, egressHost: "127.0.0.1", skipTlsVerification: false }, never);
}

/** The middle of the values, or another quantile. */
export function quantile(values: readonly number[], share = 0.5): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
