import { createSocket, type SocketType } from "node:dgram";
import { promises as dns } from "node:dns";
import { once } from "node:events";
import { connect, createServer, isIP } from "node:net";

import { z } from "zod";

import { connectToProxy } from "../../net/connect-to-proxy.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import { openResolver } from "../../net/guard/resolver.ts";
import type { Proxy } from "../../net/proxies.ts";
import { hostOf, portOf } from "../../net/url-parts.ts";
import type { Finding } from "./check.ts";

/** Maximum wait for the program on the port to identify itself. */
const ANSWER_LIMIT_MS = 3000;
/** Wildcard addresses, each with an address at which the machine reaches itself. */
const REACHED_AT = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

/** The answer of `GET /readyz`, ready or not. */
const readiness = z.object({ status: z.string(), parts: z.array(z.object({ name: z.string() })) });

/** Whether the server can listen on the port, or listens on it already. */
export async function checkPort(host: string, port: number, signal?: AbortSignal): Promise<Finding> {
  const problem = await listenProblem(host, port);
  if (!problem) return { status: "found", detail: `${host}:${port} is free` };
  if (problem === "EADDRINUSE") {
    const status = await statusOfService(host, port, signal);
    if (status) return { status: "found", detail: `${host}:${port}: Pergamon is running and ${status}` };
    return {
      status: "problem",
      detail: `${host}:${port} is in use by another program`,
      cost: "The server does not start on this port.",
      remedy: "Stop the other program, or set PORT.",
    };
  }
  return {
    status: "problem",
    detail: `Pergamon cannot listen on ${host}:${port} (${problem})`,
    cost: "The server does not start.",
    remedy: "Set HOST to an address of this machine and PORT to a port above 1023.",
  };
}

/** The readiness of a Pergamon on the port; undefined for other programs. */
async function statusOfService(
  host: string,
  port: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const bare = REACHED_AT.get(host) ?? (host.includes(":") ? `[${host}]` : host);
  try {
    const limit = AbortSignal.any([AbortSignal.timeout(ANSWER_LIMIT_MS), ...(signal ? [signal] : [])]);
    const response = await fetch(`http://${bare}:${port}/readyz`, { redirect: "error", signal: limit });
    return readiness.parse(await response.json()).status;
  } catch {
    return undefined;
  }
}

/** The error code of an attempt to listen; undefined when it succeeds. */
function listenProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** A DNS server that needs longer would delay the first scrape of every host. */
const ANSWER_MS = 2000;

/**
 * RFC 6761, section 6.4: resolvers answer for this top-level domain themselves, so the query goes no further.
 */
const QUESTION = "pergamon-doctor.invalid";

/** Node's error codes that mean the DNS server has answered. */
const ANSWERS: ReadonlySet<string> = new Set([
  "ENODATA",
  "ENOTFOUND",
  "ESERVFAIL",
  "EREFUSED",
  "ENOTIMP",
  "EFORMERR",
]);

/**
 * Whether the DNS servers of this installation answer. The query is for a name that they answer themselves.
 */
export async function checkNameServers(servers: readonly string[]): Promise<Finding> {
  const answers = await Promise.all(servers.map(silenceOf));
  const silent = servers.flatMap((server, index) =>
    answers[index] ? [`${server} (${answers[index]})`] : [],
  );
  if (silent.length < servers.length) {
    const isWhole = silent.length === 0;
    return {
      status: isWhole ? "found" : "problem",
      detail: isWhole ? `${servers.join(", ")} answer` : `no answer from ${silent.join(", ")}`,
      cost: "The first scrape of a host can take several seconds longer.",
      remedy: "Remove servers that do not answer from DNS_SERVERS or /etc/resolv.conf.",
    };
  }
  return {
    status: "problem",
    detail: servers.length === 0 ? "none is configured" : `no answer from ${silent.join(", ")}`,
    cost: "Only hosts in /etc/hosts can be resolved; all other scrapes fail.",
    remedy: "Connect this machine to a network, or set DNS_SERVERS to reachable name servers.",
  };
}

/** The reason why a DNS server did not answer; undefined when it did. */
async function silenceOf(server: string): Promise<string | undefined> {
  const resolver = new dns.Resolver({ timeout: ANSWER_MS, tries: 1 });
  try {
    resolver.setServers([server]);
    await resolver.resolve4(QUESTION);
    return undefined;
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? String(failure.code) : String(failure);
    return ANSWERS.has(code) ? undefined : code;
  }
}

/** Documentation addresses (RFC 5737 and 3849), which lie in the range of public addresses. */
const ELSEWHERE = { udp4: "203.0.113.1", udp6: "2001:db8::1" } as const;
const ANY_PORT = 443;

/**
 * Whether this machine has a route to public addresses. Nothing is sent: the system only selects the route.
 * @param isIntranet whether targets in the own network may be all that is needed.
 */
export async function checkWayOut(isIntranet: boolean): Promise<Finding> {
  const [v4, v6] = await Promise.all([addressTowards("udp4"), addressTowards("udp6")]);
  const ways = [...(v4 ? [`IPv4 from ${v4}`] : []), ...(v6 ? [`IPv6 from ${v6}`] : [])];
  if (ways.length > 0) {
    return {
      status: "found",
      detail: `${ways.join(", ")}. Use --reach to test a connection`,
    };
  }
  return {
    status: isIntranet ? "missing" : "problem",
    detail: "no route to other networks",
    cost: "Only targets in the local network can be reached.",
    remedy: "Connect this machine to the internet, or set PROXIES to a reachable proxy.",
  };
}

/** The local address that packets would leave from; undefined without a route. */
function addressTowards(family: SocketType & keyof typeof ELSEWHERE): Promise<string | undefined> {
  const socket = createSocket(family);
  return new Promise((resolve) => {
    const end = (address: string | undefined) => {
      socket.close();
      resolve(address);
    };
    socket.once("error", () => end(undefined));
    socket.once("connect", () => end(socket.address().address));
    socket.connect(ANY_PORT, ELSEWHERE[family]);
  });
}

/** A slower connection would delay every scrape too much. */
const CONNECT_MS = 5000;

/** Whether each of the operator's proxies accepts connections. What lies behind the proxy is not tested. */
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

/** Whether the operator's host accepts connections from here. @param target in the operator's words. */
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

/** The reason why an attempt fails within its few seconds; undefined when it succeeds. */
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
