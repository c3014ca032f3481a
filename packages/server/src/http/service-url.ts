import type { AddressInfo } from "node:net";
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * Returns the URL of a server. A server on all addresses gets one that other machines can reach, or its
 * loopback address when there is none.
 */
export function serviceUrl(
  { address, family, port }: AddressInfo,
  interfaces: Interfaces = networkInterfaces(),
): string {
  const named = EVERYWHERE.has(address) ? outerAddress(family, interfaces) : address;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
}

/** A server on all IPv6 addresses also listens on all IPv4 addresses. */
function outerAddress(family: string, interfaces: Interfaces): string {
  const all = Object.values(interfaces).flatMap((found) => found ?? []);
  const outer = all.filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  const byIpv4 = outer.find((found) => found.family === "IPv4");
  const other = family === "IPv6" ? outer.find((found) => found.family === "IPv6") : undefined;
  return (byIpv4 ?? other)?.address ?? "127.0.0.1";
}
