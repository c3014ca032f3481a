import { describe, expect, test } from "vitest";

import { identityOf } from "./identity.ts";

const SIMILAR = { isSimilarSame: true, ignoresQuery: false };
const EXACT = { isSimilarSame: false, ignoresQuery: false };

function same(one: string, other: string, options = SIMILAR): boolean {
  const base = "http://site.test/";
  return identityOf(new URL(one, base), options) === identityOf(new URL(other, base), options);
}

describe("always the same page", () => {
  test.each([
    ["fragments", "/a", "/a#b"],
    ["fragments that only begin like a route", "/a", "/a#!/"],
    ["the case of hosts", "http://SITE.test/a", "http://site.test/a"],
    ["default ports", "http://site.test:80/a", "http://site.test/a"],
    ["international names", "http://bücher.test/", "http://xn--bcher-kva.test/"],
    ["dot segments", "/a/../b/./c", "/b/c"],
    ["no path", "http://site.test", "http://site.test/"],
    ["letters in escapes", "/%69tem%2D%7e", "/item-~"],
    ["the case of escapes", "/%c3%a9%2f", "/%C3%A9%2F"],
    ["an empty query", "/a?", "/a"],
  ])("%s", (_name, one, other) => {
    expect(same(one, other, EXACT)).toBe(true);
    expect(same(one, other)).toBe(true);
  });
});

describe("the same page unless told otherwise", () => {
  test.each([
    ["schemes", "https://site.test/a", "http://site.test/a"],
    ["www", "http://www.site.test/a", "http://site.test/a"],
    ["a slash at the end", "/a/", "/a"],
    ["an index", "/a/index.html", "/a"],
    ["an index in capitals", "/a/INDEX.PHP", "/a/"],
    ["an index without extension", "/a/index", "/a"],
    ["an index and a slash", "/a/index.html/", "/a"],
    ["the index of the site", "/index.htm", "/"],
    ["campaigns", "/a?utm_source=x&b=1&utm_medium=y", "/a?b=1"],
    ["clicks", "/a?gclid=1", "/a"],
    ["sessions in the query", "/a?PHPSESSID=9&b=1", "/a?b=1"],
    ["sessions with a name of their own", "/a?ASPSESSIONIDQWERTY=9", "/a"],
    ["sessions in the path", "/a;jsessionid=A1B2", "/a"],
    ["sessions inside the path", "/a;JSESSIONID=A1B2/b", "/a/b"],
    ["sessions as a segment", "/x/(S(abc123))/cart", "/x/cart"],
    ["empty parameters", "/a?b=1&&c=2&", "/a?b=1&c=2"],
  ])("%s", (_name, one, other) => {
    expect(same(one, other)).toBe(true);
    expect(same(one, other, EXACT)).toBe(false);
  });
});

test.each([
  ["routes in fragments", "/a#/b", "/a#/c"],
  ["a route and none", "/a", "/a#!/b"],
  ["the order of parameters", "/a?b=2&a=1", "/a?a=1&b=2"],
  ["the case of paths", "/ITEM", "/item"],
  ["other parameters", "/a?page=2", "/a"],
  ["reserved escapes", "/a%2Fb", "/a/b"],
  ["two slashes", "/a//b", "/a/b"],
  ["ports", "http://site.test:8080/", "http://site.test/"],
  ["subdomains", "http://wwww.site.test/", "http://site.test/"],
  ["names that end like an index", "/a/myindex.html", "/a"],
  ["other path parameters", "/a;v=2", "/a"],
])("%s make another page", (_name, one, other) => {
  expect(same(one, other)).toBe(false);
  expect(same(one, other, EXACT)).toBe(false);
});

/**
 * What the table of crawler-commons (Apache 2.0) states of one address in two spellings, in cases of our own. Left
 * out: the order and empty values of parameters, two slashes, and marks in queries, which families, section 4.4, keep.
 */
test.each([
  ["/%66ile.htm%6c", "/file.html"],
  ["/file%1a", "/file%1A"],
  ["/a b", "/a%20b"],
  ["/p\u0001!", "/p%01!"],
  ["/Español", "/Espa%C3%B1ol"],
  ["/\u0080", "/%c2%80"],
  ["http://site.test:/a", "/a"],
  ["http://site%2Etest/a", "/a"],
  ["http://www.b%c3%bccher.test/", "http://xn--bcher-kva.test/"],
  ["http://site.test./a", "/a"],
  ["/a/./b/../%66", "/a/f"],
  ["/../../a", "/a"],
  ["/a/../b/../c/../../", "/"],
  ["/a..a/../b", "/b"],
  ["/{{part}}", "/%7B%7Bpart%7D%7D"],
  ['/a/c/../b?q="<>', "/a/b?q=%22%3C%3E"],
  [" HTTP://Site.Test/a#b ", "/a"],
  ["http://[2001:DB8::1]:80/x/../y", "http://[2001:db8::1]/y"],
])("%j is the page %j", (one, other) => {
  expect(same(one, other)).toBe(true);
});

test.each([
  ["/a%2fb", "/a/b"],
  ["/a%23b", "/a#b"],
  ["/?q=a%26b", "/?q=a&b"],
  ["/?q=c%2B%2B", "/?q=c++"],
  ["/?/a", "/?%2Fa"],
  ["/file-*", "/file-%2A"],
  ["/?q=a;b", "/?q=a&b"],
])("%j is another page than %j", (one, other) => {
  expect(same(one, other)).toBe(false);
});

test("without its query, a page is one for each path", () => {
  expect(same("/a?b=1", "/a?c=2", { ...SIMILAR, ignoresQuery: true })).toBe(true);
  expect(same("/a?b=1", "/a/?c=2", { ...EXACT, ignoresQuery: true })).toBe(false);
});

test("addresses made to take long do not", () => {
  const path = `/${"(S(".repeat(600)}${";sid=".repeat(600)}${"%".repeat(600)}`;
  const startedAtMs = performance.now();
  for (let count = 0; count < 100; count += 1) identityOf(new URL(path, "http://site.test"), SIMILAR);
  expect(performance.now() - startedAtMs).toBeLessThan(5000);
});
