import { expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { adjustChances } from "./adjust.ts";
import { shippedModel } from "./model/model.ts";
import { readPage } from "./tables/page-tables.ts";

const PROSE = `<p>${"A sentence of the page that says something. ".repeat(12)}</p>`;

/** What is left of the chance of a text next to prose, all of it as likely as can be. */
function chanceOf(text: string): number | undefined {
  const page = readPage(
    selectAll(parseHtml(`${PROSE}<div>${text}</div>`)),
    "https://site.test/",
    shippedModel().lexica,
  );
  return adjustChances(page, new Float32Array(page.blocks.size).fill(1)).at(-1);
}

test.each([
  "Loading...",
  " Loading results… ",
  "Please wait...",
  "Wird geladen …",
  "Chargement en cours…",
  "加载中...",
])("%s is no content", (text) => expect(chanceOf(text)).toBe(0));

test.each([
  "Loading",
  "Loading docks",
  "Loading the dishwasher takes time.",
  "Wait for me...",
  "Loading bay 4.",
])("%s may be content", (text) => expect(chanceOf(text)).toBe(1));
