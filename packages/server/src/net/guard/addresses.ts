import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * IPv4 blocks outside the public web: the IANA special-purpose registry, multicast and reserved space, and
 * the metadata address that one cloud keeps in public space (168.63.129.16).
 */
const SPECIAL_V4: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Global unicast. Mapped, compatible, NAT64 and all local ranges lie outside it. */
const GLOBAL_V6 = ["2000::", 3] as const;

/** Parts of global unicast that lead elsewhere: protocol assignments, Teredo, 6to4, documentation, AS112. */
const SPECIAL_V6: readonly (readonly [network: string, prefix: number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

const specialV4 = blockListOf(SPECIAL_V4, "ipv4");
const globalV6 = blockListOf([GLOBAL_V6], "ipv6");
const specialV6 = blockListOf(SPECIAL_V6, "ipv6");

/**
 * True for addresses of the public internet. Anything but a plain IP address, zone ids included, is refused.
 * IPv4-mapped IPv6 is judged as the IPv4 address that the system would dial.
 */
export function isGlobalAddress(ip: string): boolean {
  const address = unmapAddress(ip);
  if (isIPv4(address)) return !specialV4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
}

/**
 * Returns the IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:…`, in any spelling), and other input
 * unchanged.
 */
export function unmapAddress(ip: string): string {
  if (!ip.includes(":") || !isIPv6(ip) || ip.includes("%")) return ip;
  const canonical = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  const words = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!words) return canonical;
  const value = Number.parseInt(words[1] ?? "0", 16) * 65_536 + Number.parseInt(words[2] ?? "0", 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

/**
 * Returns the address of a URL whose host is an IP literal. URL parsing has already made unusual spellings
 * canonical.
 */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname;
  if (host.startsWith("[")) return host.slice(1, -1);
  return isIPv4(host) ? host : undefined;
}

function blockListOf(
  blocks: readonly (readonly [network: string, prefix: number])[],
  family: "ipv4" | "ipv6",
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of blocks) list.addSubnet(network, prefix, family);
  return list;
}
