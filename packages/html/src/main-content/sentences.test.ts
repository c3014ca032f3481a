import { describe, expect, test } from "vitest";

import { lostSentences } from "../../../../test/marked-pages.ts";
import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "../markdown/convert.ts";
import { selectMainContent } from "./select.ts";

const PAGES = 600;
const URL = "https://town.test/";

function markdownOf(html: string): string {
  return toMarkdown(selectMainContent(selectAll(parseHtml(html)), URL), URL);
}

describe("a page that marks its content", () => {
  test("loses none of its sentences, however many links these have", () => {
    for (let seed = 1; seed <= PAGES; seed++) expect(lostSentences(seed)).toEqual([]);
  });

  test("keeps texts that say nearly the same beside each other", () => {
    const says = (order: string) =>
      `The ${order} door of the old town hall is painted blue, opens at nine and shuts before the bells ring.`;
    const texts = markdownOf(
      `<main><h1>Doors</h1><p class="lead">${says("first")}</p><p>${says("last")}</p></main>`,
    );
    expect(texts).toContain(says("first"));
    expect(texts).toContain(says("last"));
  });

  test.each([
    ["sr-only", false],
    ["lead-in", true],
  ])("keeps a short sentence unless it is only read aloud: class %s", (name, isKept) => {
    const prose =
      "<p>The hall was built in seven years, and half of the town paid for it, as old books say.</p>";
    const page = `<main><h1>Hall</h1>${prose.repeat(8)}<p class="${name}">Use the buttons to go on.</p></main>`;
    expect(markdownOf(page).includes("Use the buttons to go on.")).toBe(isKept);
  });
});
