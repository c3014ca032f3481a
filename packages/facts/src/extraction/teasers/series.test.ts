import { describe, expect, test } from "vitest";

import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../../structured/evidence.ts";
import { extractJson } from "../extract-json.ts";

const TEXT = { type: "string" };
const LIST = { type: "array", items: TEXT };
const SCHEMA = { type: "object", properties: { title: TEXT, author: TEXT, tags: LIST, authors: LIST } };
const OTHERS = [
  ["Cranes", "Ann Vale"],
  ["Old nets and ropes", "Bo Dahl"],
  ["Salt", "Cy Ames"],
] as const;

type Card = (title: string, author: string) => string;

const CARDS: Readonly<Record<string, Card>> = {
  "plain elements": (title, author) =>
    `<div class="c"><a href="/${title}"><div>${title}</div></a><div class="author">${author}</div><span class="tag">salt</span></div>`,
  "links with all in them": (title, author) =>
    `<a class="c" href="/${title}"><span>${title}</span><span class="author">${author}</span><span class="tag">salt</span></a>`,
  "headings of one word": (title, author) =>
    `<div><h3><a href="/${title}">${title}</a></h3><p>Author: ${author}</p><p>Tags: salt, sea</p></div>`,
  "a picture first": (title, author) =>
    `<div class="c"><a href="/${title}"><img src="/i.jpg" alt=""></a><div><a href="/${title}">${title}</a><p>Author: ${author}</p><span class="tag">salt</span></div></div>`,
  "entries of lists": (title, author) =>
    `<li><a href="/${title}">${title}</a> <span class="author">${author}</span> <span class="tag">salt</span></li>`,
};

function valuesOf(own: string, card: Card): unknown {
  const text = `<p>${"The pier is long, and its cranes are older than the men who work there. ".repeat(8)}</p>`;
  const others = OTHERS.map(([title, author]) => card(title, author)).join("");
  const html = `<title>The pier of Elm</title><main><h1>The pier of Elm</h1>${own}${text}</main><div>${others}</div>`;
  const tree = parseHtml(html);
  const evidence = gatherEvidence({ tree, source: () => html, metadata: () => ({}) });
  return extractJson(evidence, { schema: SCHEMA }, "https://site.test/pier").value;
}

describe("cards at the end of a page are of other pages", () => {
  test.each(Object.entries(CARDS))("%s", (_name, card) => {
    expect(valuesOf("", card)).toEqual({ title: "The pier of Elm" });
    expect(valuesOf("<p>Author: Kim Park</p><p>Tags: boats, tides</p>", card)).toEqual({
      title: "The pier of Elm",
      author: "Kim Park",
      tags: ["boats", "tides"],
      authors: ["Kim Park"],
    });
  });
});

test("on a page that is a list of others, what they have in common is a list", () => {
  const list = Array.from(
    { length: 12 },
    (_, at) =>
      `<div class="c"><a href="/${at}">Pier of ${at} cranes</a> <span class="tag">tag ${at}</span></div>`,
  );
  const html = `<title>Piers</title><h1>Piers</h1><div>${list.join("")}</div>`;
  const tree = parseHtml(html);
  const evidence = gatherEvidence({ tree, source: () => html, metadata: () => ({}) });
  const schema = { type: "object", properties: { tags: LIST } };
  expect(extractJson(evidence, { schema }, "https://site.test/").value).toEqual({
    tags: list.map((_, at) => `tag ${at}`),
  });
});

test("10,000 cards end", () => {
  const card = CARDS["plain elements"] ?? (() => "");
  const cards = Array.from({ length: 10_000 }, (_, at) => card(`Pier ${at}`, "Ann Vale")).join("");
  expect(valuesOf(`<div>${cards}</div>`, card)).toMatchObject({ title: "The pier of Elm" });
});
