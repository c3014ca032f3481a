import { connect as connectTcp, isIP, isIPv4, isIPv6, type Socket } from "node:net";
import http, { type RequestOptions } from "node:http";

import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { basicAuthorization, userinfoOf } from "./credentials.ts";
import { connectToProxy } from "./connect-to-proxy.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import { pinnedTo } from "./guard/pinned-lookup.ts";
import { isGivenNames, type Proxy } from "./proxies.ts";
import { hostOf, portOf } from "./url-parts.ts";

/** A target that the guard has admitted, with the proxy to use. */
export interface Route {
  readonly target: URL;
  /** No other addresses may be dialled. */
  readonly addresses: readonly string[];
  readonly proxy: Proxy | undefined;
}

/**
 * Connects to the target, through the operator's proxy if there is one.
 * @throws NetworkError of kind `proxy`, or system errors; the signal's reason once it is aborted.
 */
export async function dialTarget(route: Route, signal: AbortSignal): Promise<Socket> {
  const { proxy } = route;
  if (!proxy) return opened(connectTcp(addressOf(route)), signal);
  return isSocks(proxy) ? dialSocks(route, proxy, signal) : dialHttpProxy(route, proxy, signal);
}

interface PlainRequest extends Omit<RequestOptions, "headers"> {
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns options of a plain HTTP request to the target: the address or the connection itself, and the
 * headers that the proxy needs. `agent` is used for connections worth keeping.
 * @throws as `dialTarget` does.
 */
export async function requestTo(route: Route, agent: http.Agent, signal: AbortSignal): Promise<PlainRequest> {
  const { target, proxy } = route;
  const path = target.pathname + target.search;
  if (!proxy) return { ...addressOf(route), path, headers: {}, agent };
  if (isSocks(proxy) || !isGivenNames(proxy))
    return { path, headers: {}, ...over(await dialTarget(route, signal)) };
  const connection = over(await connectToProxy(proxy, signal));
  return { path: target.href, headers: proxyHeaders(proxy), ...connection };
}

/** NOTE: the options use no agent, because agents open their own connections, past the proxy. */
function over(socket: Socket): { readonly createConnection: () => Socket } {
  return { createConnection: () => socket };
}

function isSocks({ url }: Proxy): boolean {
  return url.startsWith("socks");
}

function proxyHeaders({ url }: Proxy): Readonly<Record<string, string>> {
  const authorization = basicAuthorization(new URL(url));
  return authorization === undefined ? {} : { "proxy-authorization": authorization };
}

/**
 * Host for the proxy to connect to. The proxy would resolve a name again, in a network that was not checked.
 * IPv4 comes first, because many proxies support nothing else.
 */
function destinationOf({ target, addresses }: Route, proxy: Proxy): string {
  if (isGivenNames(proxy)) return hostOf(target);
  return addresses.find(isIPv4) ?? addresses[0] ?? hostOf(target);
}

function addressOf({ target, addresses }: Route) {
  const host = hostOf(target);
  const lookup = isIP(host) === 0 && { lookup: pinnedTo(addresses), autoSelectFamily: true };
  return { host, port: portOf(target), ...lookup };
}

async function dialSocks(route: Route, proxy: Proxy, signal: AbortSignal): Promise<Socket> {
  const { target } = route;
  const url = new URL(proxy.url);
  const userinfo = userinfoOf(url);
  const { default: socks } = await import("socks");
  const connecting = socks.SocksClient.createConnection({
    command: "connect",
    proxy: {
      host: hostOf(url),
      port: portOf(url),
      type: 5,
      ...(userinfo && { userId: userinfo.username, password: userinfo.password }),
    },
    destination: { host: destinationOf(route, proxy), port: portOf(target) },
  });
  try {
    const { socket } = await untilAborted(connecting, signal);
    return socket;
  } catch (cause) {
    connecting.then(({ socket }) => socket.destroy()).catch(() => undefined);
    throw notConnected(target, cause);
  }
}

async function dialHttpProxy(route: Route, proxy: Proxy, signal: AbortSignal): Promise<Socket> {
  const { target } = route;
  const destination = destinationOf(route, proxy);
  const authority = `${isIPv6(destination) ? `[${destination}]` : destination}:${portOf(target)}`;
  const connection = await connectToProxy(proxy, signal);
  const request = http.request({
    ...over(connection),
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...proxyHeaders(proxy) },
    signal,
  });
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown) => {
      connection.destroy();
      reject(notConnected(target, cause));
    };
    request.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket);
      else refuse(new Error(`The proxy answered ${statusCode}.`));
    });
    request.once("response", ({ statusCode }) => refuse(new Error(`The proxy answered ${statusCode}.`)));
    request.on("error", refuse);
    request.end();
  });
}

function notConnected({ hostname: host }: URL, cause: unknown): NetworkError {
  return new NetworkError("proxy", "The upstream proxy did not connect.", { host, cause });
}

async function opened(socket: Socket, signal: AbortSignal): Promise<Socket> {
  const connected = new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.on("error", reject);
  });
  try {
    await untilAborted(connected, signal);
    return socket;
  } catch (failure) {
    connected.catch(() => undefined);
    socket.destroy();
    throw failure;
  }
}
