import { expect, test } from "vitest";

import { isGlobalAddress, literalAddress, unmapAddress } from "./addresses.ts";

const SPECIAL = [
  ["0.0.0.0", "this host"],
  ["0.1.2.3", "this network"],
  ["10.0.0.1", "private"],
  ["10.255.255.255", "private, last"],
  ["100.64.0.1", "carrier NAT"],
  ["100.127.255.255", "carrier NAT, last"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback, last"],
  ["168.63.129.16", "cloud metadata in public space"],
  ["169.254.0.1", "link local"],
  ["169.254.169.254", "cloud metadata"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private, last"],
  ["192.0.0.1", "protocol assignments"],
  ["192.0.0.170", "NAT64 discovery"],
  ["192.0.2.1", "documentation"],
  ["192.31.196.1", "AS112"],
  ["192.52.193.1", "AMT"],
  ["192.88.99.1", "6to4 relay"],
  ["192.168.0.1", "private"],
  ["192.175.48.1", "AS112"],
  ["198.18.0.1", "benchmarks"],
  ["198.19.255.255", "benchmarks, last"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.250", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["0:0:0:0:0:0:0:1", "loopback, long"],
  ["::127.0.0.1", "compatible"],
  ["::7f00:1", "compatible, in words"],
  ["::ffff:127.0.0.1", "mapped loopback"],
  ["::ffff:7f00:1", "mapped loopback, in words"],
  ["::ffff:10.0.0.1", "mapped private"],
  ["0000:0000:0000:0000:0000:FFFF:a9fe:a9fe", "mapped metadata, long"],
  ["::ffff:0:127.0.0.1", "translated"],
  ["64:ff9b::7f00:1", "NAT64 of loopback"],
  ["64:ff9b::808:808", "NAT64 of a public address"],
  ["64:ff9b:1::1", "local NAT64"],
  ["100::1", "discard"],
  ["2001::1", "Teredo"],
  ["2001:2::1", "benchmarks"],
  ["2001:10::1", "ORCHID"],
  ["2001:20::1", "ORCHID 2"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "6to4 of loopback"],
  ["2002:808:808::1", "6to4"],
  ["2620:4f:8000::1", "AS112"],
  ["3fff::1", "documentation"],
  ["3fff:fff:ffff::1", "documentation, last"],
  ["5f00::1", "segment routing"],
  ["fc00::1", "unique local"],
  ["fd12:3456::1", "unique local"],
  ["fe80::1", "link local"],
  ["fe80::1%eth0", "link local with zone"],
  ["fec0::1", "site local"],
  ["ff02::1", "multicast"],
  ["2606:4700::1111%eth0", "public with zone"],
  ["", "nothing"],
  ["localhost", "a name"],
  ["127.1", "short spelling"],
  ["0x7f000001", "hex spelling"],
] as const;

test.each(SPECIAL)("%s is not global (%s)", (address) => {
  expect(isGlobalAddress(address)).toBe(false);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "168.63.129.15",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "198.20.0.0",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2606:4700:4700::1111",
  "2a00:1450:4001::200e",
  "3ffe:ffff::1",
])("%s is global", (address) => {
  expect(isGlobalAddress(address)).toBe(true);
});

test.each([
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::FFFF:0102:0304", "1.2.3.4"],
  ["0:0::1", "::1"],
  ["2001:DB8::1", "2001:db8::1"],
  ["1.2.3.4", "1.2.3.4"],
  ["name.test", "name.test"],
])("unmaps %s to %s", (address, expected) => {
  expect(unmapAddress(address)).toBe(expected);
});

test.each([
  ["http://2130706433/", "127.0.0.1"],
  ["http://[::FFFF:127.0.0.1]/", "::ffff:7f00:1"],
  ["http://name.test/", undefined],
])("%s has the literal address %s", (url, expected) => {
  expect(literalAddress(new URL(url))).toBe(expected);
});
