import { promises as dns } from "node:dns";
import { isIP, isIPv4, isIPv6 } from "node:net";

import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { NetworkError } from "@pergamon-dev/kit/network-error";

/** Limit of one attempt; there are two. A name server that has not answered by then is not going to. */
const QUERY_TIMEOUT_MS = 3000;
const QUERY_TRIES = 2;
const MAX_PORT = 65_535;
const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

export interface Resolver {
  /**
   * Returns all addresses, at least one, in the order to try them.
   * @throws NetworkError of kind `dns` when there is none; the signal's reason once it is aborted.
   */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
}

/**
 * Failed look-ups are remembered for this long: a page may make a hundred requests to a dead host, and each
 * would wait as long for a silent name server. Successful look-ups are not remembered, because addresses may
 * change.
 */
const NOT_FOUND_MS = 1000;
const REMEMBERED_NAMES = 1000;

/** Asks these name servers (`address[:port]`), or the system when there are none. */
export function openResolver({ servers }: { readonly servers: readonly string[] }): Resolver {
  const find = servers.length > 0 ? nameServerLookup(servers) : openSystemLookup();
  const reach = new NameServerReach(servers.length > 0 ? servers : dns.getServers());
  const missing = new LRUCache<string, NetworkError>({ ...atMost(REMEMBERED_NAMES), ttl: NOT_FOUND_MS });
  const asked = new Map<string, Promise<readonly string[]>>();

  async function ask(host: string): Promise<readonly string[]> {
    try {
      const addresses = await find(host);
      if (addresses.length === 0) throw notFound(host);
      if (servers.length > 0 || !addresses.every(isLoopbackAddress)) reach.answered();
      return addresses;
    } catch (failure) {
      const told = await explained(host, failure, reach);
      if (told instanceof NetworkError) missing.set(host, told);
      throw told;
    } finally {
      asked.delete(host);
    }
  }

  return {
    async resolve(host, signal) {
      signal.throwIfAborted();
      const failure = missing.get(host);
      if (failure) throw failure;
      const answer = asked.get(host) ?? ask(host);
      asked.set(host, answer);
      return [...(await untilAborted(answer, signal))];
    },
  };
}

/** Error codes of c-ares and the system when no name server answers, or one could not find out. */
const UNANSWERED: ReadonlySet<unknown> = new Set(["EAI_AGAIN", "ETIMEOUT", "ECONNREFUSED", "ESERVFAIL"]);

/** The site's own name servers may be at fault, or all of this machine's, which is no fault of the site. */
async function explained(host: string, failure: unknown, reach: NameServerReach): Promise<unknown> {
  const { code } = ((failure as Error).cause ?? {}) as { readonly code?: unknown };
  if (code !== undefined && !UNANSWERED.has(code)) reach.answered();
  const isAway = UNANSWERED.has(code) && (await reach.isLost());
  return isAway ? notFound(host, new PartAway("names", (failure as Error).cause)) : failure;
}

/**
 * A name server that answered this recently is expected to answer again. Where none ever answers, names come
 * from elsewhere.
 */
const EXPECTED_MS = 60 * 60 * 1000;
const PROBE_TIMEOUT_MS = 1000;

/** Knows whether the name servers of this machine can be reached at all. */
class NameServerReach {
  readonly #servers: readonly string[];
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #probing: Promise<boolean> | undefined;

  constructor(servers: readonly string[]) {
    this.#servers = servers;
  }

  answered(): void {
    this.#answeredAtMs = performance.now();
  }

  /**
   * True when they answered lately but do not now. It queries the root of all names, which every name server
   * knows.
   */
  async isLost(): Promise<boolean> {
    if (performance.now() - this.#answeredAtMs > EXPECTED_MS) return false;
    this.#probing ??= this.#isSilent().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #isSilent(): Promise<boolean> {
    const resolver = new dns.Resolver({ timeout: PROBE_TIMEOUT_MS, tries: 1 });
    resolver.setServers(this.#servers.map(parseNameServer));
    try {
      await resolver.resolveNs(".");
      return false;
    } catch (failure) {
      return UNANSWERED.has((failure as { readonly code?: unknown }).code);
    }
  }
}

/** Half of Node's four threads. Further system look-ups wait for these. */
const SYSTEM_LOOKUPS = 2;

/**
 * Asks the system, which knows more than its name servers: the hosts file, search domains, and names of the
 * local network. While slow names keep it busy, the name servers are asked first, so that other names need
 * not wait.
 */
function openSystemLookup(): (host: string) => Promise<string[]> {
  const askNameServers = nameServerLookup(dns.getServers());
  let running = 0;
  return async (host) => {
    const isBusy = running >= SYSTEM_LOOKUPS;
    const found = isBusy ? await askNameServers(host).catch(() => []) : [];
    if (found.length > 0) return found;
    running += 1;
    try {
      return await systemLookup(host);
    } finally {
      running -= 1;
    }
  };
}

async function systemLookup(host: string): Promise<string[]> {
  try {
    const found = await dns.lookup(host, { all: true });
    return found.map(({ address }) => address);
  } catch (cause) {
    throw notFound(host, cause);
  }
}

function nameServerLookup(servers: readonly string[]): (host: string) => Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  resolver.setServers(servers.map(parseNameServer));
  return async (host) => {
    if (isLoopbackName(host)) return LOOPBACK_ADDRESSES;
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const failure = answers.find((answer) => answer.status === "rejected");
    if (found.length === 0 && failure) throw notFound(host, failure.reason);
    return found;
  };
}

function isLoopbackAddress(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** RFC 6761, section 6.3: these names are never looked up. */
function isLoopbackName(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(host);
}

/**
 * Checks `address[:port]`, and spells it as Node requires: a bare IPv6 address has brackets only together
 * with a port.
 * @throws Error that quotes the invalid address.
 */
export function parseNameServer(server: string): string {
  const bare = server.replace(/^\[([^\]]*)\]$/, "$1");
  if (isIP(bare) !== 0) return bare;
  const [, v6 = "", v4 = "", port] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(server) ?? [];
  // NOTE: Node ends the whole process when it is given port 0.
  const isPort = Number(port) >= 1 && Number(port) <= MAX_PORT;
  if (isPort && (isIPv6(v6) || isIPv4(v4))) return server;
  throw new Error(`"${server}" is not a name server address of the form address[:port].`);
}

function notFound(host: string, cause?: unknown): NetworkError {
  return new NetworkError("dns", `DNS resolution failed for hostname "${host}".`, { host, cause });
}
