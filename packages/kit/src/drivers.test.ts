import { describe, expect, test } from "vitest";

import { type Drivers, driverFor } from "./drivers.ts";

const drivers: Drivers<string> = new Map([
  ["file:", "files"],
  ["memory:", "memory"],
]);

describe("the driver of a URL", () => {
  test.each([
    ["file:/data/blobs", "files"],
    ["file:relative", "files"],
    ["memory:", "memory"],
  ])("%s is opened by %s", (url, expected) => {
    expect(driverFor(drivers, url, "blob")).toBe(expected);
  });

  test.each(["s3://key:secret@bucket/x", "/data", "memory", "constructor:", "__proto__:", ""])(
    "%j has none, and the message names those there are but nothing of the URL beside its scheme",
    (url) => {
      const open = () => driverFor(drivers, url, "blob");
      expect(open).toThrow("Known: file:, memory:");
      expect(open).not.toThrow("secret");
    },
  );

  test("is found as soon as its line stands in the table", () => {
    const more = new Map([...drivers, ["s3:", "buckets"] as const]);
    expect(driverFor(more, "s3://bucket", "blob")).toBe("buckets");
  });
});
