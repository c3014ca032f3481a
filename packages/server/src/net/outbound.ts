import { isIP } from "node:net";
import { callbackify, promisify } from "node:util";
import type * as Undici from "undici";

import { isLoopback } from "@pergamon-dev/kit/loopback";
import { dialTarget, type Route } from "./dial.ts";
import { isGlobalAddress } from "./guard/addresses.ts";
import { pinnedTo } from "./guard/pinned-lookup.ts";

interface Outbound {
  /** http or https. Contains its credentials, if any. Never log it. */
  readonly url: string;
  /** Hosts that are reached without it, with their subdomains; `*` is every host. */
  readonly direct: readonly string[];
}

let outbound: Outbound | undefined;
let named: Undici.Dispatcher | undefined;

/** Sends the calls of this process to services through a proxy. Pages have proxies of their own. */
export function useOutbound(given: Outbound | undefined): void {
  outbound = given;
  named = undefined;
}

/** Returns the proxy to a service; undefined for hosts without one, and always for this machine and private addresses. */
export function outboundProxy(hostname: string): string | undefined {
  const host = hostname.toLowerCase().replaceAll(/^\[|\]$|\.$/g, "");
  if (outbound === undefined || isLoopback(host) || (isIP(host) !== 0 && !isGlobalAddress(host)))
    return undefined;
  const isDirect = outbound.direct.some((entry) => {
    const name = entry.toLowerCase().replace(/^\*?\./, "");
    return name === "*" || host === name || host.endsWith(`.${name}`);
  });
  return isDirect ? undefined : outbound.url;
}

/** Returns the dispatcher of calls to a host that the operator named and no guard judges. The proxy gets its name. */
export function outboundDispatcher(
  { ProxyAgent }: typeof Undici.default,
  url: string,
): Undici.Dispatcher | undefined {
  const proxy = outboundProxy(new URL(url).hostname);
  return proxy === undefined ? undefined : (named ??= new ProxyAgent({ uri: proxy }));
}

/**
 * Opens an agent for a service that the guard has admitted. It dials, or lets the proxy dial, no other addresses than
 * the admitted ones.
 */
export function openServiceAgent(
  { Agent, buildConnector }: typeof Undici.default,
  { target, addresses }: Omit<Route, "proxy">,
  options: Undici.Agent.Options = {},
): Undici.Agent {
  const url = addresses.every(isGlobalAddress) ? outboundProxy(target.hostname) : undefined;
  if (url === undefined) return new Agent({ ...options, connect: { lookup: pinnedTo(addresses) } });
  const route: Route = { target, addresses, proxy: { tier: "basic", url } };
  const limit = () => AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  return new Agent({ ...options, connect: throughProxy(route, buildConnector({}), limit) });
}

const CONNECT_TIMEOUT_MS = 15_000;

/** Connects through the proxy, then speaks TLS with the target if its URL is https. */
export function throughProxy(
  route: Route,
  connect: Undici.buildConnector.connector,
  limit: () => AbortSignal,
): Undici.buildConnector.connector {
  const secure = promisify(connect);
  const dial = callbackify(async (options: Undici.buildConnector.Options) => {
    const httpSocket = await dialTarget(route, limit());
    return options.protocol === "https:" ? secure({ ...options, httpSocket }) : httpSocket;
  });
  return (options, callback) =>
    dial(options, (failure, socket) => (socket ? callback(null, socket) : callback(failure, null)));
}
