import { once } from "node:events";
import { connect, isIP } from "node:net";

import { connectToProxy } from "../platform/net/connect-to-proxy.ts";
import { NetworkError } from "../platform/net/guard/network-error.ts";
import type { Proxy } from "../platform/net/proxies.ts";
import { openResolver } from "../platform/net/guard/resolver.ts";
import { hostOf, portOf } from "../platform/net/url-parts.ts";
import type { Finding } from "./finding.ts";

/** A slower connection would delay every scrape too much. */
const CONNECT_MS = 5000;

/** Whether each of the operator's proxies takes connections. What is behind it is not tried. */
export async function checkProxies(proxies: readonly Proxy[]): Promise<Finding> {
  if (proxies.length === 0) return { status: "found", detail: "none is configured" };
  const problems = await Promise.all(
    proxies.map((proxy) => problemOf((signal) => reachProxy(proxy, signal))),
  );
  const failed = proxies.flatMap((proxy, index) =>
    problems[index] ? [`${new URL(proxy.url).host}: ${problems[index]}`] : [],
  );
  if (failed.length === 0) return { status: "found", detail: `${proxies.length} reachable` };
  return {
    status: "problem",
    detail: failed.join("; "),
    cost: "Requests through these proxies fail, or use another proxy.",
    remedy: "Correct PROXIES, or start the proxy.",
  };
}

/** Whether a host that the operator named takes connections from here. @param target as it was given. */
export async function checkReach(
  target: string | undefined,
  nameServers: readonly string[],
): Promise<Finding> {
  if (target === undefined) return { status: "found", detail: "not checked: name a host with --reach" };
  const address = target.includes("://") ? target : `https://${target}`;
  if (!URL.canParse(address)) return { status: "problem", detail: `${target} is not a URL` };
  const url = new URL(address);
  const problem = await problemOf(async (signal) => {
    const host = hostOf(url);
    const found = isIP(host) ? [host] : await openResolver({ servers: nameServers }).resolve(host, signal);
    await connectOnce({ host: found[0] ?? host, port: portOf(url) }, signal);
  });
  if (!problem) return { status: "found", detail: `${url.host} accepts connections` };
  return {
    status: "problem",
    detail: `${url.host}: ${problem}`,
    cost: "Pages of this host cannot be scraped from this machine.",
    remedy: "Try another host. If none answers, check the network, the firewall and PROXIES.",
  };
}

async function reachProxy(proxy: Proxy, signal: AbortSignal): Promise<void> {
  (await connectToProxy(proxy, signal)).destroy();
}

async function connectOnce(to: { readonly host: string; readonly port: number }, signal: AbortSignal) {
  const socket = connect(to);
  try {
    await once(socket, "connect", { signal });
  } finally {
    socket.on("error", () => undefined);
    socket.destroy();
  }
}

/** What is in the way of something that is given a few seconds; undefined when nothing does. */
async function problemOf(attempt: (signal: AbortSignal) => Promise<void>): Promise<string | undefined> {
  const signal = AbortSignal.timeout(CONNECT_MS);
  try {
    await attempt(signal);
    return undefined;
  } catch (failure) {
    if (signal.aborted) return `no answer within ${CONNECT_MS / 1000} s`;
    const cause = failure instanceof NetworkError ? (failure.cause ?? failure) : failure;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
