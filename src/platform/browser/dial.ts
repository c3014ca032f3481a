import { connect as connectTcp, isIP, type Socket } from "node:net";
import http, { type RequestOptions } from "node:http";
import https from "node:https";
import { connect as connectTls } from "node:tls";

import { SocksClient } from "socks";

import { untilAborted } from "../../kit/single-flight.ts";
import { splitUserinfo } from "../net/credentials.ts";
import { NetworkError } from "../net/network-error.ts";
import { pinnedTo } from "../net/pinned-lookup.ts";
import type { Proxy } from "../net/proxies.ts";

/** A target that the guard has admitted, and the way to it. */
export interface Route {
  readonly target: URL;
  /** The only ones that may be dialled. With a proxy it is the proxy that dials. */
  readonly addresses: readonly string[];
  readonly proxy: Proxy | undefined;
}

/**
 * Opens a connection to the target, through the operator's proxy if there is one.
 * @throws NetworkError of kind `proxy`, or what the system says; the signal's reason once it is aborted.
 */
export async function dialTarget(route: Route, signal: AbortSignal): Promise<Socket> {
  const { proxy } = route;
  if (!proxy) return opened(connectTcp(addressOf(route)), signal);
  return proxy.url.startsWith("socks") ? dialSocks(route, signal) : dialHttpProxy(route, proxy, signal);
}

interface PlainRequest extends Omit<RequestOptions, "headers"> {
  readonly headers: Readonly<Record<string, string>>;
}

/** Options of a plain HTTP request to the target, and the headers that its way needs. */
export function requestTo(route: Route): PlainRequest {
  const { target, proxy } = route;
  if (!proxy || proxy.url.startsWith("socks")) {
    const createConnection = proxy && { createConnection: socksConnection(route) };
    return { ...addressOf(route), path: target.pathname + target.search, headers: {}, ...createConnection };
  }
  const { url, authorization } = splitUserinfo(new URL(proxy.url));
  return {
    host: hostOf(url),
    port: portOf(url),
    path: target.href,
    headers: authorization === undefined ? {} : { "proxy-authorization": authorization },
    ...(url.protocol === "https:" && { createConnection: () => connectTls(addressOfProxy(url)) }),
  };
}

function addressOf({ target, addresses }: Route) {
  const host = hostOf(target);
  const lookup = isIP(host) === 0 && { lookup: pinnedTo(addresses), autoSelectFamily: true };
  return { host, port: portOf(target), ...lookup };
}

function addressOfProxy(url: URL) {
  const host = hostOf(url);
  return { host, port: portOf(url), ...(isIP(host) === 0 && { servername: host }) };
}

/** Plain HTTP through SOCKS: a tunnel like any other. The agent takes the connection once it is there. */
function socksConnection(route: Route): NonNullable<RequestOptions["createConnection"]> {
  return (_options, whenConnected) => {
    dialSocks(route, new AbortController().signal).then(
      (socket) => whenConnected(null, socket),
      (failure: unknown) => whenConnected(failure as Error, undefined as never),
    );
    return undefined;
  };
}

async function dialSocks({ target, proxy }: Route, signal: AbortSignal): Promise<Socket> {
  const url = new URL(proxy?.url ?? "");
  const credentials = url.username !== "" && {
    userId: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  const connecting = SocksClient.createConnection({
    command: "connect",
    proxy: { host: hostOf(url), port: portOf(url), type: 5, ...credentials },
    destination: { host: hostOf(target), port: portOf(target) },
  });
  try {
    const { socket } = await untilAborted(connecting, signal);
    return socket;
  } catch (cause) {
    connecting.then(({ socket }) => socket.destroy()).catch(() => undefined);
    throw new NetworkError("proxy", "The upstream proxy did not connect.", { host: target.hostname, cause });
  }
}

async function dialHttpProxy({ target }: Route, proxy: Proxy, signal: AbortSignal): Promise<Socket> {
  const { url, authorization } = splitUserinfo(new URL(proxy.url));
  const authority = `${target.hostname}:${portOf(target)}`;
  const client = url.protocol === "https:" ? https : http;
  const request = client.request({
    ...addressOfProxy(url),
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...(authority && authorization && { "proxy-authorization": authorization }) },
    agent: false,
    signal,
  });
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown) =>
      reject(
        new NetworkError("proxy", "The upstream proxy did not connect.", { host: target.hostname, cause }),
      );
    request.once("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      refuse(new Error(`The proxy answered ${response.statusCode}.`));
    });
    request.once("response", (response) => {
      response.resume();
      refuse(new Error(`The proxy answered ${response.statusCode}.`));
    });
    request.once("error", refuse);
    request.end();
  });
}

async function opened(socket: Socket, signal: AbortSignal): Promise<Socket> {
  const connected = new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
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

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };
const SOCKS_PORT = 1080;

function portOf({ port, protocol }: URL): number {
  return port === "" ? (DEFAULT_PORTS[protocol] ?? SOCKS_PORT) : Number(port);
}
