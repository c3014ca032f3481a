import { isIP } from "node:net";

import { describe, expect, test } from "vitest";

import { isAddressOrBlock, isIpAddress } from "./ip-address.ts";

describe("addresses", () => {
  test.each([
    "0.0.0.0",
    "255.255.255.255",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3",
    "1.2.3.4.5",
    " 1.2.3.4",
    "::",
    "::1",
    "2001:db8::1",
    "2001:DB8:0:0:0:0:0:1",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "::ffff:1.2.3.4",
    "::ffff:1.2.3.256",
    "::ffff:01.2.3.4",
    "1.2.3.4::",
    "12345::",
    ":1",
    ":",
    "g::1",
    "[::1]",
    "",
    "localhost",
  ])("agrees with the system about %j", (text) => {
    expect(isIpAddress(text)).toBe(isIP(text) !== 0);
  });

  test("have no zone, which only this machine could understand", () => {
    expect(isIpAddress("fe80::1%eth0")).toBe(false);
  });
});

describe("blocks", () => {
  test.each(["10.0.0.0/8", "0.0.0.0/0", "192.0.2.1/32", "2001:db8::/32", "::/0", "::1/128", "192.0.2.1"])(
    "accepts %s",
    (text) => {
      expect(isAddressOrBlock(text)).toBe(true);
    },
  );

  test.each([
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "10.0.0.0/a",
    "/8",
    "host/8",
  ])("refuses %s", (text) => {
    expect(isAddressOrBlock(text)).toBe(false);
  });
});
