import { expect, test } from "vitest";

import { cleanMarkdown } from "./clean-markdown.ts";

const STORY = Array.from(
  { length: 12 },
  (_, line) => `Sentence ${line} tells how the old harbour was built.`,
).join("\n\n");

/** A page with something before and behind its text. */
const around = (before: string, after: string) => `${before}\n\n# Harbour\n\n${STORY}\n\n${after}`;
const CLEAN = `# Harbour\n\n${STORY}`;

test.each([
  ["breadcrumbs", "[Home](/) / [News](/news) / Harbour", ""],
  ["breadcrumbs with arrows", "[Start](/) › [Ports](/ports) › [Elmstad](/e)", ""],
  [
    "share links",
    "",
    "- [Share on Facebook](https://f.test/)\n- [Tweet](https://t.test/)\n- [Copy link](/c)",
  ],
  ["a notice about cookies", "We use cookies to make this site better.\n\n[Accept all](#)", ""],
  ["a German notice", "Wir verwenden Cookies, um Inhalte zu zeigen.\n\nAlle akzeptieren", ""],
  ["a sign-up", "", "## Newsletter\n\nGet the best stories of the week in your inbox.\n\nYour address"],
  ["a sign-up without heading", "", "Sign up for our weekly newsletter and miss nothing."],
  ["an advertisement", "Advertisement", ""],
  ["advertisements in other languages", "Werbung", "広告\n\nРеклама"],
  ["a line that leads elsewhere", "", "Mira también: [The bridge at night](/b)"],
  ["such a line in Polish", "", "Czytaj także: [Most nocą](/b)"],
  ["related pages", "", "## Related articles\n\n- [The bridge](/b)\n- [The tower](/t)"],
  ["related pages in Turkish", "", "### İlgili haberler\n\n- [Köprü](/b)\n- [Kule](/t)".replace("İ", "i")],
  [
    "related pages under other words",
    "",
    "### More stories from the coast\n\n- [The bridge](/b)\n- [The tower](/t)",
  ],
  [
    "related pages in pictures",
    "",
    "## Vous aimerez aussi\n\n[![A bridge](/b.png)](/b)\n\n[![A tower](/t.png)](/t)",
  ],
  ["a heading of nothing", "", "## Why a visit is worth your while"],
  [
    "a box that asks for an address",
    "",
    "## Sign up for the weekly newsletter\n\nIt comes on Fridays and tells what is on at the quays.",
  ],
  ["a box about the author", "", "## About the author\n\nKim Park writes about ships and lives in Elmstad."],
  ["who owns the text", "", "© 2026 Elmstad Post. All rights reserved."],
  ["who owns the text, in Polish", "", "Materiał chroniony prawem autorskim - wszelkie prawa zastrzeżone."],
  ["a request for money", "", "This story is funded by readers like you."],
  ["controls", "Sort and filter", "Loading...\n\n[Back to top](#top)"],
  [
    "a heading that leads elsewhere",
    "",
    "#### Leer también: [The bridge at night](/b)\n\n### Mire: [The tower by day](/t)",
  ],
  [
    "comments",
    "",
    "## Comments\n\nWhat a fine story this is, I read it twice and then once more.\n\n### Leave a reply\n\nYour email address will not be published.",
  ],
])("%s are left out", (_name, before, after) => {
  expect(cleanMarkdown(around(before, after)).trim()).toBe(CLEAN);
});

test.each([
  ["a sentence about cookies", "Cookies are small files that browsers keep, and bakers bake."],
  ["a table", "| Share | Price |\n| --- | --- |\n| Advertisement | 12 |"],
  ["code", "```\nShare\nAdvertisement\n```"],
  ["an image", "![Advertisement](https://site.test/old-poster.png)"],
  ["a list of links", "- [The bridge](/b)\n- [The tower](/t)"],
  [
    "a heading over text",
    "## Related\n\nThis chapter is about the harbours that are related to ours by law, by trade and by blood.",
  ],
  [
    "a heading over more than links",
    "## More stories from the coast\n\n- [The bridge](/b)\n\nIt was built by those who had no ship of their own and yet had to cross the water.",
  ],
  [
    "rights in the text",
    "## Rights\n\nAll rights reserved by the crown went to the town, and with them the duties, the tolls and the upkeep of its quays, cranes, lamps, bridges, lighthouses, wells, roads, and walls, which it has kept up since with money from the ships that call.",
  ],
  [
    "comments below each post",
    "## Answer\n\nUse the north quay.\n\n## 2 comments\n\nThat helped.\n\n## Answer\n\nUse the south quay.\n\n## 1 comment\n\nNo.",
  ],
  [
    "a label in a list of others",
    "- Subscribe\n- The request that opens a channel and tells which of its events are wanted by whom\n- Unsubscribe",
  ],
])("%s stays", (_name, part) => {
  const page = `${CLEAN}\n\n${part}\n\nThe end of the story comes last.`;
  expect(cleanMarkdown(page)).toBe(page);
});

test("a title that reads like a label stays, and so does a heading of two links", () => {
  const parts =
    "### [harbour](/h) / [crane](/c)\n\nA crane that runs on steam and lifts ten tonnes of timber.";
  const page = `# Trending\n\n- [The bridge](/b)\n\n${parts}\n\n${STORY}`;
  expect(cleanMarkdown(page)).toBe(page);
});

test("a page that would lose too much stays as it is", () => {
  const page =
    "# News\n\nShort text.\n\n## Related articles\n\n- [The bridge](/b)\n- [The tower](/t)\n- [A wall](/w)";
  expect(cleanMarkdown(page)).toBe(page);
});

test("what is left are lines of the page in their order", () => {
  const page = around("Advertisement", "## Comments\n\nNice.\n\nShare");
  const lines = page.split("\n");
  const left = cleanMarkdown(page).split("\n").filter(Boolean);
  expect(left.map((line) => lines.indexOf(line))).not.toContain(-1);
  expect(left.length).toBeLessThan(lines.filter(Boolean).length);
});

test.each(["[", "](", "# related\n", "- [a](b)\n", "share\n", "\\", " "])(
  "%j without end is read in time",
  (part) => {
    const started = process.cpuUsage();
    cleanMarkdown(part.repeat(500_000 / part.length));
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  },
);
