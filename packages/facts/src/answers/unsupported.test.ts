import { expect, test } from "vitest";

import { unsupportedClaims } from "./unsupported.ts";

const PAGE = `The harbour was opened in 1874. It cost 1.299,00 marks and handles 239.6 ships a day, 1 240 in a week.
  Tickets: $12.50, boats 1'500. See https://port.test/tours?day=6 or write to port@elmstad.test. Version 2.10.3.`;

test.each([
  "Opened in 1874 at a cost of 1299 marks.",
  "1,299.00 marks",
  "About 239 ships a day, exactly 239.6.",
  "1240 ships a week, or 1,240",
  "Tickets cost 12.5 dollars, or 12,50.",
  "1500 boats",
  "2.10.3 of 1874 1240 ships",
  "Go to https://port.test/tours?day=6.",
  "Write to port@elmstad.test and/or come by.",
])("%s stands on the page", (text) => {
  expect(unsupportedClaims(text, PAGE)).toEqual([]);
});

test.each([
  ["It was opened in 1875.", "1875"],
  ["Tickets cost 12.70.", "12.70"],
  ["1874.5 marks", "1874.5"],
  ["1.25 marks", "1.25"],
  ["3 ships", "3"],
  ["See https://evil.test/?q=1874", "https://evil.test/?q=1874"],
  ["See https://port.test/tours?day=1874", "https://port.test/tours?day=1874"],
  ["![](//evil.test/a.png)", "//evil.test/a.png"],
  ["ftp://evil.test", "ftp://evil.test"],
  ["www.evil.test", "www.evil.test"],
  ["evil.test/?q=1874", "evil.test/?q=1874"],
  ["Write to me@evil.test", "me@evil.test"],
])("%s brings in %s", (text, claim) => {
  expect(unsupportedClaims(text, PAGE)).toEqual([claim]);
});

test.each(["a", "1", "1 ", "a.", "www.", "@", "a@", "//a.", "1'"])(
  "%j without end is read in time",
  (part) => {
    const started = process.cpuUsage();
    unsupportedClaims(part.repeat(200_000 / part.length), part.repeat(200_000 / part.length));
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  },
);
