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
    ["time that went by in words", "about an hour ago, Ann", "2 days, 3 hours ago, Ann"],
    ["time that went by in words of French", "il y a une heure", "il y a 3 heures"],
    ["day of a post", "Updated today", "Updated just now"],
    ["time when it was made", "Last updated: 29 Nov 2026 19:20 UTC", "Last updated: 30 Nov 2026 07:05 UTC"],
    ["clocks", "Local time: 14:32:05", "Local time: 14:33:10"],
    ["countdowns", "Offer ends in 2 days 03:13:45", "Offer ends in 1 day 23:10:02"],
    ["time that it took", "Page generated in 0.123 seconds", "Page generated in 1.5 seconds"],
    ["ids of requests", "Request ID: `7f3a9c0d-12ab`", "Request ID: `00119c0d-ffab`"],
    [
      "signatures",
      "[a](/x.pdf?X-Amz-Date=1&X-Amz-Signature=ab)",
      "[a](/x.pdf?X-Amz-Date=2&X-Amz-Signature=cd)",
    ],
    ["hidden addresses", "[a](/cdn-cgi/l/email-protection#ab12)", "[a](/cdn-cgi/l/email-protection#cd34)"],
    ["viewers", "12 people are viewing this", "3 people are viewing this"],
    ["signs that count", "👍 12 · ❤️ 3", "👍 14 · ❤️ 4"],
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
    ["opening hour", "Open 9:00 to 17:00", "Open 9:00 to 18:00"],
    ["departure", "Basel 08:15, platform 3", "Basel 08:25, platform 3"],
    ["date without a time", "Last updated: 12 March", "Last updated: 13 March"],
    ["score", "United 2:1 City", "United 2:2 City"],
    ["limit", "At most 30 days", "At most 60 days"],
    ["number of an order", "Order ID 1234", "Order ID 1235"],
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
