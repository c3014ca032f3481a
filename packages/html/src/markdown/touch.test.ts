import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

function markdown(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), "https://shop.test/");
}

describe("texts that are shown apart without white space between them", () => {
  test.each([
    ["fields", "<span>Author</span><span>Ann</span><time>Mar 3</time>", "Author Ann Mar 3"],
    ["a count", "<span>Reviews</span><span>12</span>", "Reviews 12"],
    ["two prices", "<span>$89</span><span>$98</span>", "$89 $98"],
    ["a struck price", "<del>€89</del><ins>€98</ins>", "~~€89~~ €98"],
    ["a label of a price", "<span>Now</span><s>$5</s>", "Now ~~$5~~"],
    [
      "a name with a number and a rank",
      "<a href=/a>Ann046</a>Regular",
      "[Ann046](https://shop.test/a) Regular",
    ],
    ["a struck price and bare text", "<s>$10</s>$8", "~~$10~~ $8"],
    ["a share and a count", "<span>5%</span><span>165 votes</span>", "5% 165 votes"],
    ["fields inside others", "<b><span>Name</span></b><i><a>Ann</a></i>", "**Name** _Ann_"],
    ["a capital behind an element", "<em>Title</em>The text", "_Title_ The text"],
    ["a capital inside an element", "Game<span>Browse</span>", "Game Browse"],
    ["a label and its value", "<b>Price:</b>Free", "**Price:** Free"],
    ["a link and a button", "<a href=/a>Details</a><span>Buy</span>", "[Details](https://shop.test/a) Buy"],
    [
      "an image among words",
      "a<img src=/i.png>b, c<img src=/j.png>.",
      "a ![](https://shop.test/i.png) b, c ![](https://shop.test/j.png).",
    ],
    [
      "an image in a link",
      "1<a href=/a><img src=/i.png>Oak</a>",
      "1 [![](https://shop.test/i.png) Oak](https://shop.test/a)",
    ],
    [
      "in a cell",
      "<table><tr><th>A<th>B<tr><td><span>Up</span><span>Down</span><td>1</table>",
      "| A | B |\n| --- | --- |\n| Up Down | 1 |",
    ],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("texts that belong together", () => {
  test.each([
    ["parts of a word", "<span>Le</span><span>arn</span>", "Learn"],
    ["a first letter", "<span>T</span>here", "There"],
    ["letters one by one", "<span>F</span><span>L</span><span>Y</span>", "FLY"],
    ["digits one by one", "<span>1</span><span>2</span>", "12"],
    ["a currency and its amount", "<span>$</span><span>19</span>", "$19"],
    ["an ordinal", "<span>21</span><sup>st</sup>", "21st"],
    ["formulas", "<i>H</i><sub>2</sub>O", "*H*₂O"],
    ["bold parts of a word", "<b>AC</b><strong>TUAL</strong>", "**ACTUAL**"],
    ["a place to break a word", "get<wbr>Element<wbr>By<wbr>Id", "getElementById"],
    ["a name in code", "<span>json.</span><span>Encoder</span>", "json.Encoder"],
    ["punctuation", "<span>so</span><span>, he said</span>", "so, he said"],
    ["scripts without spaces", "<span>第</span><span>3</span><span>章</span>", "第3章"],
    ["a name in small letters", "<i>i</i><span>Phone</span>", "*i*Phone"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});
