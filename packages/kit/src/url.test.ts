import { expect, test } from "vitest";

import { routeOf, withoutAnchor, withoutCredentials } from "./url.ts";

test.each([
  ["https://user:secret@shop.test/a?b=1#c", "https://shop.test/a?b=1#c"],
  ["https://user@shop.test/", "https://shop.test/"],
  ["https://:secret@shop.test/", "https://shop.test/"],
  ["https://us%40er:se%3Acret@shop.test:8443/", "https://shop.test:8443/"],
  ["http://a@b@shop.test/", "http://shop.test/"],
  ["socks5://user:secret@proxy.test:1080", "socks5://proxy.test:1080"],
  ["https://user:secret@[::1]/", "https://[::1]/"],
])("%s loses its credentials: %s", (url, without) => {
  expect(withoutCredentials(url)).toBe(without);
});

test.each([
  "https://shop.test",
  "HTTPS://Shop.test/%7euser",
  "https://shop.test/@user",
  "https://shop.test/?mail=me@shop.test",
  "mailto:me@shop.test",
  "me@shop.test",
  "no URL @ all",
  "",
])("%s stays as it is written", (url) => {
  expect(withoutCredentials(url)).toBe(url);
});

test.each([
  ["#/list", true],
  ["#!/list", true],
  ["#!about", true],
  ["#/?page=2", true],
  ["#/", false],
  ["#!", false],
  ["#!/", false],
  ["#part", false],
  ["#", false],
  ["", false],
])("the fragment %j is a route: %s", (hash, isRoute) => {
  expect(routeOf(hash)).toBe(isRoute ? hash : "");
  expect(withoutAnchor(`http://site.test/a${hash}`)).toBe(`http://site.test/a${isRoute ? hash : ""}`);
});
