import { expect, test } from "vitest";

import { parseRobots } from "./robots.ts";

/**
 * What the tests of two public parsers state, in cases of our own: google/robotstxt (Apache 2.0) and
 * crawler-commons (Apache 2.0). Each line is a robots.txt, a robot, and places that it may (+) or may not (-)
 * visit. Left out: `index.html` as a folder, lines beyond 16 KB, and names that are whole headers, which are
 * extensions of these parsers.
 */
const CASES: readonly (readonly [name: string, file: string, robot: string, places: string])[] = [
  // google/robotstxt
  ["a line without a colon", "user-agent Weir\ndisallow /", "weir", "-/x"],
  ["words that are no rule", "user-agent: weir\ndisallow all of it\ndisallow /x y", "weir", "+/x +/y"],
  ["unknown fields", "foo: weir\nbar: /", "weir", "+/x"],
  ["rules before any robot", "allow: /a/\n\nuser-agent: weir\ndisallow: /", "weir", "-/a/b"],
  [
    "groups of one robot, merged",
    "user-agent: weir\ndisallow: /\nallow: /x/\nuser-agent: gate\ndisallow: /\nallow: /y/\nallow: /w/\nuser-agent: lock\n\nuser-agent: weir\nallow: /z/\ndisallow: /",
    "weir",
    "+/x/b +/z/d -/y/c",
  ],
  [
    "a robot named with no rules, before another group",
    "user-agent: gate\ndisallow: /\nuser-agent: lock\n\nuser-agent: weir\nallow: /z/\ndisallow: /",
    "lock",
    "+/z/d -/y",
  ],
  ["capitals of fields", "uSeR-aGeNt: Weir\nAlLoW: /x/\ndIsAlLoW: /", "weir", "+/x/y -/a"],
  [
    "a name up to its first blank",
    "user-agent: *\ndisallow: /\nuser-agent: Weir Images\nallow: /x/",
    "weir",
    "+/x/y +/z",
  ],
  ["a group of all, for others", "user-agent: *\nallow: /\nuser-agent: weir\ndisallow: /", "gate", "+/x"],
  ["no group for it", "user-agent: weir\ndisallow: /", "gate", "+/x"],
  ["capitals of places", "user-agent: *\ndisallow: /X/", "weir", "+/x/y -/X/y"],
  ["the longer rule", "user-agent: *\ndisallow: /x\nallow: /x/", "weir", "-/x +/x/"],
  [
    "the longer rule with a wildcard",
    "user-agent: *\nallow: /page\ndisallow: /*.html",
    "weir",
    "-/page.html +/page",
  ],
  [
    "the longer rule without",
    "user-agent: *\nallow: /x/page.\ndisallow: /*.html",
    "weir",
    "+/x/page.html -/x/y.html",
  ],
  ["empty rules", "user-agent: *\ndisallow:\nallow:", "weir", "+/x"],
  [
    "a query with an address",
    "user-agent: *\ndisallow: /\nallow: /a?q=http://b.test?c&d",
    "weir",
    "+/a?q=http://b.test?c&d -/a?q=http",
  ],
  ["another script", "user-agent: *\ndisallow: /\nallow: /a/ツ", "weir", "+/a/ツ +/a/%E3%83%84 -/a/x"],
  ["another script, escaped", "user-agent: *\ndisallow: /\nallow: /a/%e3%83%84", "weir", "+/a/ツ -/a/x"],
  // RFC 9309, section 2.2.2. The parser of Google compares letters and their escapes as different.
  ["escaped letters", "user-agent: *\ndisallow: /\nallow: /a/%62%61%7A", "weir", "+/a/baz +/a/%62%61%7A"],
  ["a wildcard inside", "user-agent: *\ndisallow: /a/*/q", "weir", "-/a/b/q -/a//q +/a/q"],
  ["an end", "user-agent: *\ndisallow: /a/b$\nallow: /a/b/q", "weir", "-/a/b +/a/b/q +/a/b/ +/a/b/c"],
  ["comments", "user-agent: *\n# disallow: /\ndisallow: /a/q#r\nallow: /", "weir", "+/a/b -/a/q"],
  [
    "a beginning",
    "user-agent: *\ndisallow: /fish",
    "weir",
    "-/fish -/fish.html -/fish/x -/fishheads?q +/Fish +/catfish +/?id=fish",
  ],
  [
    "a beginning with a needless wildcard",
    "user-agent: *\ndisallow: /fish*",
    "weir",
    "-/fish -/fishheads/x +/Fish +/catfish",
  ],
  ["a folder", "user-agent: *\ndisallow: /fish/", "weir", "-/fish/ -/fish/?id=x +/fish +/fish.html"],
  [
    "an ending anywhere",
    "user-agent: *\ndisallow: /*.php",
    "weir",
    "-/a.php -/b/a.php?q -/a.php.html -/i?f=a.php/ +/windows.PHP +/php/",
  ],
  [
    "an ending at the end",
    "user-agent: *\ndisallow: /*.php$",
    "weir",
    "-/a.php -/b/a.php +/a.php?q +/a.php/ +/a.php5 +/aphp",
  ],
  [
    "two pieces",
    "user-agent: *\ndisallow: /fish*.php",
    "weir",
    "-/fish.php -/fishheads/cat.php?q +/Fish.PHP",
  ],
  ["the home page alone", "user-agent: *\nallow: /$\ndisallow: /", "weir", "+/ -/page.html"],
  [
    "ends of lines of three kinds",
    "user-agent: *\rdisallow: /a\r\ndisallow: /b\n\rdisallow: /c",
    "weir",
    "-/a -/b -/c +/d",
  ],
  // crawler-commons
  [
    "slips of the pen",
    "useragent: weir\nDissallow: /a\nDisalow: /b\ndisallaw: /c",
    "weir",
    "-/a -/b -/c +/d",
  ],
  ["a name in two words", "User agent: weir\nDisallow: /a", "weir", "-/a +/b"],
  [
    "a name with digits",
    "User-agent: MJ12bot/v1.4\nDisallow: /a\nUser-agent: *\nDisallow: /b",
    "MJ12bot",
    "-/a +/b",
  ],
  ["a longer name", "User-agent: MJ12bot\nDisallow: /", "MJ", "+/a"],
  ["two names of one group", "User-agent: gate\nUser-agent: weir\nDisallow: /a", "weir", "-/a"],
  ["a blank line within a group", "User-agent: weir\n\nDisallow: /a", "weir", "-/a"],
  ["a robot named with nothing", "User-agent: weir\nDisallow:\n\nUser-agent: *\nDisallow: /", "weir", "+/a"],
  ["the file itself", "User-agent: *\nDisallow: /", "weir", "+/robots.txt -/robots"],
  [
    "a wildcard before an end",
    "User-agent: *\nDisallow: /index.cfm?action=find*",
    "weir",
    "-/index.cfm?action=find&q=1",
  ],
  [
    "escapes of what is reserved",
    "User-agent: *\nDisallow: /a%3cd.html\nDisallow: /a%2fb.html",
    "weir",
    "-/a%3Cd.html -/a%2Fb.html +/a/b.html",
  ],
  ["a tilde", "User-agent: *\nDisallow: /%7ejoe/index.html", "weir", "-/~joe/index.html -/%7Ejoe/index.html"],
  ["a page of words", "<html><body>disallow everything: /</body></html>", "weir", "+/a"],
  ["a comment behind a name", "User-agent: weir # that's us\nDisallow: /a # not here", "weir", "-/a"],
];

test.each(CASES)("%s", (_name, file, robot, places) => {
  const rules = parseRobots(Buffer.from(file), robot);
  const answer = places.split(" ").map((place) => {
    const isAllowed = rules.allows(new URL(place.slice(1), "http://site.test"));
    return `${isAllowed ? "+" : "-"}${place.slice(1)}`;
  });
  expect(answer.join(" ")).toBe(places);
});
