import { expect, test } from "vitest";

import { UrlBase } from "./url-base.ts";

const BASES = [
  "https://example.test/a/b/c.html?x=1#f",
  "http://h.test",
  "https://user:word@example.test/a",
  "https://example.test:8443/",
  "mailto:someone@example.test",
  "file:///a/b",
];

const PARTS =
  "a|b|.|..|/|//|%2e|%2E|?|#|:|http://|https://|xn--|x.co|1|0x1|@|~x|=|é| |\t|\\|[|^|`|'|\"|<|C:|mailto:|%zz|;|$|(|*".split(
    "|",
  );

/** Addresses of up to four parts, spread evenly over all of them. */
const addresses = Array.from({ length: 20_000 }, (_, index) => {
  const picks = [index, index * 7 + 3, index * 31 + (index >> 5), index * 17 + (index >> 9)];
  return picks
    .slice(index % 4)
    .map((pick) => PARTS[pick % PARTS.length])
    .join("");
});

function parsed(address: string, base: string): string | undefined {
  try {
    return new URL(address, base).href;
  } catch {
    return undefined;
  }
}

test.each(BASES)("addresses come out as the URL parser gives them, counted from %s", (base) => {
  const ours = new UrlBase(base);
  const different = addresses.filter((address) => {
    const isRepaired = /^\s*https?:\/(?!\/)/i.test(address);
    return !isRepaired && ours.resolve(address) !== parsed(address, base);
  });
  expect(different).toEqual([]);
});

test.each([
  ["/x", "https://example.test/x"],
  ["x?y=1#z", "https://example.test/a/b/x?y=1#z"],
  ["../x", "https://example.test/a/x"],
  ["//other.test/x", "https://other.test/x"],
  ["https://other.test", "https://other.test/"],
])("%s is resolved", (address, expected) => {
  expect(new UrlBase("https://example.test/a/b/c.html").resolve(address)).toBe(expected);
});

test("only web addresses without anything to escape are plain", () => {
  const base = new UrlBase("https://example.test/");
  expect(base.resolvePlain("/a-b/c_d?e=%20")).toBe("https://example.test/a-b/c_d?e=%20");
  for (const address of ["/a(b)", "/a b", "mailto:x", "/é", "../x"]) {
    expect(base.resolvePlain(address)).toBeUndefined();
  }
});

test.each([
  ["#a", true],
  ["page?q=1#a", true],
  ["https://shop.test/dir/page?q=1#a", true],
  ["https://shop.test/dir/page?q=1", false],
  ["page#a", false],
  ["http://[#a", false],
])("whether %s leads to a part of the page: %s", (href, expected) => {
  expect(new UrlBase("https://shop.test/dir/page?q=1#top").isFragment(href)).toBe(expected);
});
