import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

import { unmapAddress } from "../../net/guard/addresses.ts";

/** Returns the client's address as for ordinary requests: the last address that is not a trusted proxy. */
export type ClientAddress = (request: IncomingMessage) => string;

/** @param trustedProxies addresses and CIDR blocks. */
export function openClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", length] = entry.split("/");
    if (length === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(length), familyOf(address));
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
  return ({ socket, headers }) => {
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
    const all = [...forwarded.map((part) => part.trim()).filter(Boolean), socket.remoteAddress ?? ""];
    const nearest = all.map(unmapAddress).toReversed();
    return nearest.find((address) => !isTrusted(address)) ?? nearest.at(-1) ?? "";
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
