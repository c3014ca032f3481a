import { BlockList, isIP } from "node:net";

import { unmapAddress } from "./addresses.ts";

const MAX_PORT = 65_535;
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Private targets that the operator has allowed. */
export interface EgressRules {
  /** Says whether this address may be dialled for this host, even though it is not global. */
  allows(host: string, address: string, port: number): boolean;
  /** Says whether an entry names this host itself, and not merely its addresses. */
  namesHost(host: string): boolean;
}

interface Rule {
  readonly hostName: string | undefined;
  readonly addresses: BlockList;
  readonly firstPort: number;
  readonly lastPort: number;
}

/**
 * Reads entries of the forms `address[:port[-port]]`, `[v6][:port[-port]]`, `network/prefix`, and
 * `host.name[:port[-port]]`. An entry without a port allows all ports.
 * @throws Error that quotes the entry it cannot read.
 */
export function parseEgressRules(entries: readonly string[]): EgressRules {
  const rules = entries.map(parseRule);
  return {
    allows(host, address, port) {
      const name = canonicalHost(host);
      const dialled = unmapAddress(address);
      const family = isIP(dialled) === 6 ? "ipv6" : "ipv4";
      return rules.some(
        (rule) =>
          port >= rule.firstPort &&
          port <= rule.lastPort &&
          (rule.hostName === undefined ? rule.addresses.check(dialled, family) : rule.hostName === name),
      );
    },
    namesHost(host) {
      const name = canonicalHost(host);
      return rules.some((rule) => rule.hostName === name);
    },
  };
}

/** Explains in a sentence how to allow a private target. @param host as a URL names it. */
export function howToOpen(host: string): string {
  return `The operator of this service can allow this private target by starting it with the setting EGRESS_ALLOW=${host}.`;
}

function parseRule(entry: string): Rule {
  const { target, ports } = splitPorts(entry.trim());
  const [firstPort, lastPort] = parsePorts(entry, ports);
  const addresses = new BlockList();
  const [network = "", prefix] = target.split("/");
  const family = isIP(network);
  if (family === 0) return { hostName: parseHostName(entry, target), addresses, firstPort, lastPort };
  addresses.addSubnet(network, parsePrefix(entry, prefix, family), family === 6 ? "ipv6" : "ipv4");
  return { hostName: undefined, addresses, firstPort, lastPort };
}

/** A bare IPv6 address has no port, because its colons belong to the address. */
function splitPorts(entry: string): { target: string; ports: string | undefined } {
  const bracketed = /^\[([^\]]*)\](\/\d+)?(?::(.*))?$/.exec(entry);
  if (bracketed) return { target: `${bracketed[1]}${bracketed[2] ?? ""}`, ports: bracketed[3] };
  const colon = entry.indexOf(":");
  if (colon === -1 || colon !== entry.lastIndexOf(":")) return { target: entry, ports: undefined };
  return { target: entry.slice(0, colon), ports: entry.slice(colon + 1) };
}

function parsePorts(entry: string, ports: string | undefined): [first: number, last: number] {
  if (ports === undefined) return [0, MAX_PORT];
  const range = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(ports);
  const first = Number(range?.[1]);
  const last = Number(range?.[2] ?? range?.[1]);
  if (!range || first < 1 || last > MAX_PORT || first > last) {
    throw new Error(`"${entry}" has no valid port or port range (1 to ${MAX_PORT}).`);
  }
  return [first, last];
}

function parsePrefix(entry: string, prefix: string | undefined, family: number): number {
  const widest = family === 6 ? 128 : 32;
  if (prefix === undefined) return widest;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > widest) {
    throw new Error(`"${entry}" has no valid network prefix (0 to ${widest}).`);
  }
  return Number(prefix);
}

function parseHostName(entry: string, target: string): string {
  const name = canonicalHost(target);
  if (!HOST_NAME.test(name) || /^[\d.]+$/.test(name)) {
    throw new Error(`"${entry}" is not an address, network (address/prefix) or host name.`);
  }
  return name;
}

function canonicalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
