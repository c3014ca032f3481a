import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

function markdown(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), "https://shop.test/");
}

describe("characters that show nothing", () => {
  test.each([
    ["soft hyphens and zero-width spaces", "<p>Donau\u00addampf\u200bschiff", "Donaudampfschiff"],
    ["word joiners and byte order marks", "<p>\ufeffa\u2060b", "ab"],
    ["icons of a font", "<p>\ue001 Save", "Save"],
    ["a link that is only an icon", "<p>a <a href=/x>\uf0c1</a>", "a"],
    ["controls", "<p>a\u0003b\u007fc", "abc"],
    ["no-break spaces", "<p>10\u00a0\u202fkm", "10 km"],
    [
      "direction marks among letters that run from left to right",
      "<p>Publisher \u200f : \u200e Avery",
      "Publisher : Avery",
    ],
    ["a paragraph of joiners", "<p>a<p>\u200d<p>\u200c \u200c<p>b", "a\n\nb"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("characters of several bytes that were read one by one", () => {
  test.each([
    [
      "are put together",
      "<p>you\u00e2\u0080\u0099re\u00c2\u00a0here \u00e2\u0080\u0094 caf\u00c3\u00a9",
      "you’re here — café",
    ],
    ["stay where nothing tells of it", "<p>\u00c2\u00a9 \u00c3\u00a9", "Â© Ã©"],
    ["stay where they are none", "<p>a\u0085b \u00e2\u00a9", "a b â©"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("line breaks of the source", () => {
  test.each([
    ["between Chinese characters are nothing", "<p>国土\n    资源，\n请", "国土资源，请"],
    ["beside other scripts are spaces", "<p>国\nabc\n한국\n어", "国 abc 한국 어"],
    ["spaces stay", "<p>国 土", "国 土"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("invisible characters with a meaning", () => {
  test.each([
    ["joiners in emoji", "<p>👩\u200d💻"],
    ["joiners between Persian letters", "<p>می\u200cخواهم"],
    ["direction marks among letters that run from right to left", "<p>שלום \u200e(C++)\u200e"],
  ])("%s stay", (_, html) => {
    expect(markdown(html)).toBe(html.slice(3));
  });
});
