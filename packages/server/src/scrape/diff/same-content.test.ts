import { describe, expect, test } from "vitest";

import { isSameContent } from "./same-content.ts";

describe("the same page", () => {
  test.each([
    ["white space", "# A\n\nSome  text\n", "# A\nSome text"],
    ["ends of lines and a byte order mark", "\u{FEFF}a\r\nb", "a\nb"],
    ["the order of lines", "one\ntwo\nthree", "three\none\ntwo"],
    ["another frame", "text [iframe](https://ads.test/1) end", "text [iframe](https://ads.test/2) end"],
    ["time that went by", "Posted 3 hours ago by Ann", "Posted 2 days ago by Ann"],
    ["time that went by in German", "vor 3 Stunden", "vor 12 Tagen"],
    ["time that went by in French", "il y a 5 minutes", "il y a 2 heures"],
    ["time that went by in Spanish", "hace 3 días", "hace 1 mes"],
    ["time that went by in Russian", "5 минут назад", "2 часа назад"],
    ["time that went by in Japanese", "3分前", "12時間前"],
    ["time that went by in short", "4h ago", "5h ago"],
    ["time that went by in bold", "Posted **1** hour ago · 312 views", "Posted **2** hours ago · 319 views"],
    [
      "time that went by, marked otherwise",
      "vor _3_ Stunden · __12__ Aufrufe",
      "vor _4_ Stunden · __15__ Aufrufe",
    ],
    [
      "versions of pictures",
      "![a](/a.png?v=1) ![](/b.JPG?1699999999&w=9)",
      "![a](/a.png?v=2f) ![](/b.JPG?1700000000&w=9)",
    ],
    ["counters", "1,204 views · 12 comments", "1,319 views · 15 comments"],
    ["counters behind their word", "Likes: 12", "Likes: 13"],
    ["large counters", "3.4M views", "3.5M views"],
    ["tracking parameters", "[a](/x?id=1&utm_source=a&gclid=9)", "[a](/x?id=1)"],
    ["sessions", "[a](/x;jsessionid=AB12?a=1&nonce=12)", "[a](/x;jsessionid=CD34?a=1&nonce=34)"],
  ])("with other %s", (_what, before, after) => {
    expect(isSameContent(before, after)).toBe(true);
  });
});

describe("another page", () => {
  test.each([
    ["price", "Price 9.99", "Price 9.98"],
    ["letter", "form", "from"],
    ["word", "open", "closed"],
    ["line", "a\nb", "a\nb\nc"],
    ["line twice", "a\nb", "a\nb\nb"],
    ["text where there was none", "", "a"],
    ["duration", "Takes 3 hours", "Takes 4 hours"],
    ["parameter that matters", "[a](/x?id=1)", "[a](/x?id=2)"],
    ["picture by its name", "![a](/a.png?page=1)", "![a](/a.png?page=2)"],
    ["version of a file", "[a](/a.zip?v=1)", "[a](/a.zip?v=2)"],
    ["number in bold", "**12** items", "**13** items"],
    ["number of pieces", "12 items", "13 items"],
  ])("with another %s", (_what, before, after) => {
    expect(isSameContent(before, after)).toBe(false);
  });
});

test.each([
  ["digits", "1,".repeat(500_000)],
  ["spaced digits", "1 000 ".repeat(160_000)],
  ["parameters", "?utm_a=1&".repeat(110_000)],
  ["frames", "[iframe](".repeat(110_000)],
  ["words", "views ".repeat(160_000)],
  ["marked numbers", "**1".repeat(160_000)],
  ["versions", ".png?v=".repeat(110_000)],
  ["sessions", ";jsessionid=".repeat(80_000)],
])("1 MB of %s is compared in time", (_what, text) => {
  const before = process.cpuUsage();
  isSameContent(text, `${text}.`);
  // Other tests in this process count as well. What is slow by the square of the length takes minutes.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(20_000);
});
