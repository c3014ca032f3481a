import type { NetworkInterfaceInfo } from "node:os";

import { expect, test } from "vitest";

import { serviceUrl } from "./service-url.ts";

const at = (address: string, family: "IPv4" | "IPv6", internal = false) =>
  ({ address, family, internal }) as NetworkInterfaceInfo;

const lo = [at("127.0.0.1", "IPv4", true), at("::1", "IPv6", true)];
const both = { lo, eth0: [at("fe80::1", "IPv6"), at("192.0.2.7", "IPv4"), at("2001:db8::7", "IPv6")] };
const onlyIpv6 = { lo, eth0: [at("fe80::1", "IPv6"), at("2001:db8::7", "IPv6")] };

test.each([
  ["127.0.0.1", "IPv4", both, "http://127.0.0.1:3002"],
  ["::1", "IPv6", both, "http://[::1]:3002"],
  ["192.0.2.9", "IPv4", both, "http://192.0.2.9:3002"],
  ["0.0.0.0", "IPv4", both, "http://192.0.2.7:3002"],
  ["::", "IPv6", both, "http://192.0.2.7:3002"],
  ["::", "IPv6", onlyIpv6, "http://[2001:db8::7]:3002"],
  ["0.0.0.0", "IPv4", onlyIpv6, "http://127.0.0.1:3002"],
  ["0.0.0.0", "IPv4", { lo }, "http://127.0.0.1:3002"],
])(
  "F15 a server that listens on %s (%s) is told as one that others reach: %#",
  (address, family, interfaces, url) => {
    expect(serviceUrl({ address, family, port: 3002 }, interfaces)).toBe(url);
  },
);
