import { expect, test } from "vitest";

import { targetUrl } from "./target-url.ts";

const read = (text: string) => targetUrl(text, () => false);

test.each([
  ["site.test", "http://site.test"],
  ["  site.test/a b \n", "http://site.test/a b"],
  ["HTTPS://Site.Test/x#y", "HTTPS://Site.Test/x#y"],
  ["site.test:8080/x", "http://site.test:8080/x"],
  ["http://ann:secret@site.test/", "http://ann:secret@site.test/"],
  ["http://127.0.0.1/", "http://127.0.0.1/"],
  ["http://[::1]:80/", "http://[::1]:80/"],
  ["http://2130706433/", "http://2130706433/"],
  ["bücher.example", "http://bücher.example"],
  ["xn--bcher-kva.xn--p1ai", "http://xn--bcher-kva.xn--p1ai"],
  ["http://site.test./", "http://site.test./"],
  ["notes.md", "http://notes.md"],
  ["install.sh", "http://install.sh"],
  ["printer.local", "http://printer.local"],
  ["http://site.test/?to=http://other.test", "http://site.test/?to=http://other.test"],
])("%j is %s", (text, url) => {
  expect(read(text)).toEqual({ url });
});

test.each([
  ["", "Invalid URL"],
  ["   ", "Invalid URL"],
  ["http://", "Invalid URL"],
  ["http://a b/", "Invalid URL"],
  ["http://http://site.test", "Invalid URL"],
  ["https://https://site.test", "Invalid URL"],
  [`http://site.test/${"x".repeat(16_368)}`, "Invalid URL"],
  ["ftp://site.test", "URL uses unsupported protocol"],
  ["file:///etc/passwd", "URL uses unsupported protocol"],
  ["javascript:alert(1)", "URL uses unsupported protocol"],
  ["mailto:ann@site.test", "URL uses unsupported protocol"],
  ["data:text/html,x", "URL uses unsupported protocol"],
  ["localhost", "URL must have a valid top-level domain or be an IP address"],
  ["http://intranet/", "URL must have a valid top-level domain or be an IP address"],
  ["index.html", "URL must have a valid top-level domain or be an IP address"],
  ["REPORT.PDF", "URL must have a valid top-level domain or be an IP address"],
  ["http://site.x/", "URL must have a valid top-level domain or be an IP address"],
])("%j: %s", (text, problem) => {
  expect(read(text)).toMatchObject({ problem });
});

test("a name without a top-level domain passes when the operator opened it", () => {
  const admits = ({ hostname }: URL) => hostname === "intranet";
  expect(targetUrl("http://intranet/x", admits)).toEqual({ url: "http://intranet/x" });
  expect(targetUrl("http://elsewhere/x", admits)).toHaveProperty("problem");
});
