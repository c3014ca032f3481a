import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

const STATE = `{"buybox":[{"price":"EUR 15.49","amount":15.49,"symbol":"EUR","whole":"15","fraction":"49","mark":"."}]}`;
const CHAIR =
  "The chair is made of beech wood, and carries one hundred and twenty kilograms. It comes in two parts, which are put together with four screws and without glue.";
/** `ann@shop.test`, every byte of it combined with the first. */
const PROTECTED = "2a4b44446a5942455a045e4f595e";

function markdown(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), "https://shop.test/");
}

describe("what pages carry beside their text", () => {
  test.each([
    [
      "a price that is drawn again beside its spoken form",
      "<p><span class=off>EUR 34.42</span><span aria-hidden=true>EUR<b>34</b><i>42</i></span></p>",
      "EUR 34.42",
    ],
    [
      "a count that is shown before its spoken form",
      "<p><span aria-hidden=true><b>(8)</b></span><span>8 reviews with an average of 5</span></p>",
      "8 reviews with an average of 5",
    ],
    ["data for scripts that stands as text", `<div>${STATE}</div><p>${CHAIR}</p>`, CHAIR],
    ["the name of a picture's file", "<img src=/a.jpg alt='IMG_8299.jpeg'>", "![](https://shop.test/a.jpg)"],
    ["dots instead of words", "<img src=/a.jpg alt='...'>", "![](https://shop.test/a.jpg)"],
    [
      "characters that were escaped twice in attributes",
      "<img src=/a.jpg alt='Tom &amp;amp; Ann&amp;#039;s'> <a href=/x title='A &amp;amp; B'>x</a>",
      `![Tom & Ann's](https://shop.test/a.jpg) [x](https://shop.test/x "A & B")`,
    ],
    ["marks around punctuation", "<a href=/m>Moving</a><b>:</b> far", "[Moving](https://shop.test/m): far"],
    [
      "names of pictures in icon fonts",
      "<p>Download <i class='icon material-icons'>chevron_right</i>",
      "Download",
    ],
    ["a message to nobody", "<a href='mailto:?subject=Look'>Send</a>", "Send"],
    ["a label that is the address again", "<p>a <a href=/n/1 aria-label=/n/1><svg></svg></a> b", "a b"],
    [
      "addresses that are hidden from robots",
      `<p><a href="/cdn-cgi/l/email-protection#${PROTECTED}"><span data-cfemail="${PROTECTED}">[email&#160;protected]</span></a>`,
      "[ann@shop.test](mailto:ann@shop.test)",
    ],
    [
      "an address that a link hides",
      `<a href="/cdn-cgi/l/email-protection" data-cfemail="${PROTECTED}">[email&#160;protected]</a>`,
      "[ann@shop.test](mailto:ann@shop.test)",
    ],
    [
      "an address that is hidden without a link",
      `Mail <span data-cfemail="${PROTECTED}">[email protected]</span>.`,
      "Mail ann@shop.test.",
    ],
    ["rules that part nothing", "<p>a</p><hr><hr><p>b</p><hr>", "a\n\n---\n\nb"],
    ["a rule at the end of an item", "<ul><li>a<hr></li><li>b</li></ul>", "- a\n- b"],
    [
      "signs between parts",
      "<div>a</div><div>|</div><div>b</div><ul><li>c<li>/<li>d</ul>",
      "a\n\nb\n\n- c\n- d",
    ],
    [
      "the same film again",
      "<video src=/v.mp4></video><p>a</p><video src=/v.mp4></video>",
      "[video](https://shop.test/v.mp4)\n\na",
    ],
    ["controls that show nothing", "<p>New York&#xad;<b>\u0085</b>Union\u0093</p>", "New York Union"],
    [
      "notes about windows",
      "<a href=/a title='Opens in a new window'>Shop<span> (opens in a new tab)</span></a>",
      "[Shop](https://shop.test/a)",
    ],
    ["bullets that were typed", "<ul><li>• a</li><li><p>– b</p></li></ul>", "- a\n- b"],
    [
      "a picture that was shown before",
      "<img src=/i.png><p>on<img src=/i.png>this",
      "![](https://shop.test/i.png)\n\non this",
    ],
  ])("is left out: %s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test.each([
    [
      "a drawn text that nothing speaks",
      "<p><b aria-hidden=true>$9.99 today</b> <i>each</i>",
      "**$9.99 today** _each_",
    ],
    ["a drawn part of another number", "<p><b aria-hidden=true>1 to</b><i>10 ways</i>", "**1 to**_10 ways_"],
    [
      "an icon in a cell",
      "<table><tr><th>A<th>B<tr><td>Help<td><i class=material-icons>check</i></table>",
      "| A | B |\n| --- | --- |\n| Help | _check_ |",
    ],
    ["data in code", `<pre>${STATE}</pre>`, `\`\`\`\n${STATE}\n\`\`\``],
    ["data that a paragraph shows", `<p>${STATE}</p>`, STATE],
    ["data that is most of the page", `<h1>Answer</h1><div>${STATE}</div>`, `# Answer\n\n${STATE}`],
    [
      "a description that names a file",
      "<img src=/a.jpg alt='How a.jpg looks'>",
      "![How a.jpg looks](https://shop.test/a.jpg)",
    ],
    ["a smiley", "<img src=/a.png alt=':('>", "![:(](https://shop.test/a.png)"],
    ["an escape that is explained", "<p>Write &amp;amp; for it", "Write \\&amp; for it"],
    ["bold words with punctuation", "<b>Moving:</b> far", "**Moving:** far"],
    ["a word in an icon's element", "<i>download</i>", "_download_"],
    [
      "a message to somebody",
      "<a href='mailto:a@b.test?subject=Look'>Send</a>",
      "[Send](mailto:a@b.test?subject=Look)",
    ],
    ["a rule before a list", "<p>a</p><hr><ul><li>b</ul>", "a\n\n---\n\n- b"],
    ["a rule in a quote", "<blockquote>a<hr>b</blockquote>c", "> a\n>\n> ---\n>\n> b\n\nc"],
    ["a dash for nothing", "<dl><dt>Size<dd>—</dl>", "**Size**\n\n—"],
    ["a sentence about windows", "<p>The link opens in a new window", "The link opens in a new window"],
    ["a negative number in an item", "<ul><li>-5 degrees</ul>", "- -5 degrees"],
    ["an address that is no code", "<span data-cfemail=xyz>[email protected]</span>", "[email protected]"],
  ])("stays: %s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});
