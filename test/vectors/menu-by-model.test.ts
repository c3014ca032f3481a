import { beforeAll, describe, expect, test } from "vitest";

import {
  type ModelDouble,
  startModelDouble,
  type Step,
} from "../../packages/server/src/storage/models/model-double.suite.ts";
import { KEYED, makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

/** A menu in prose, which rules do not read. */
const TEXT = `<main><h1>Osteria Nonna</h1><p>Today we cook tomato soup for 5.50 €, mushroom risotto (vegan) for 13.50 € and
  lemon tart for 6 €. We have been open since 1987.</p></main>`;
const NONE = "No menu found on this page; it does not appear to be a menu page.";

const soup = { name: "Tomato soup", price: "5.50 €", section: "Today", description: null, image: null };
const risotto = { ...soup, name: "mushroom risotto", price: "13.50 €", description: "(vegan)" };
const told = (...items: readonly object[]): Step => ({
  say: { text: JSON.stringify({ items }) },
});

let double: ModelDouble;
let steps: Step[];
let world: World;
let team: TestTeam;

beforeAll(async () => {
  steps = [];
  double = await startModelDouble("openai", steps);
  world = await openWorld({ ...KEYED, LLM_BASE_URL: double.url, LLM_MODEL: "double" });
  team = await makeTeam(world, { credits: 1000 });
});
/** The answer about a page of this name, and the calls that it took. */
async function menuOf(name: string, next: readonly Step[], request: object = {}, page = TEXT) {
  steps.splice(0, steps.length, ...next);
  const url = world.site.page(`/${name.replaceAll(/\W/g, "-")}`, htmlPage(page.replace("Nonna", name)));
  const before = double.requests.length;
  const { status, body } = await team.scrape({ url, formats: ["menu"], ...request });
  expect(status).toBe(200);
  return { ...body.data, calls: double.requests.length - before };
}

describe("a menu that rules do not find", () => {
  test("is told by a model, for no credits, and kept", async () => {
    const { menu, warning, metadata, calls } = await menuOf("told", [told(soup, risotto)]);
    expect(warning).toBeUndefined();
    expect(menu).toMatchObject({
      isMenu: true,
      confidence: 0.6,
      merchant: { name: expect.stringContaining("told") as string },
      currency: "EUR",
      sections: [
        {
          id: "s1",
          name: "Today",
          items: [
            {
              id: "s1.i1",
              name: "Tomato soup",
              price: { amount: 5.5, currency: "EUR", formatted: "5.50 €" },
            },
            { name: "mushroom risotto", description: "vegan", dietary: ["vegan"] },
          ],
        },
      ],
    });
    expect([metadata.answeredBy, metadata.creditsUsed, calls]).toEqual([["menu: double"], 1, 1]);
    const { body: again } = await world.get(`/v2/scrape/${metadata.scrapeId}`, team.headers);
    expect(again.data.menu).toEqual(menu);
  });

  test("has nothing that the page does not say, which is asked about once more", async () => {
    const pizza = { ...soup, name: "Pizza", price: "9 €" };
    const dear = { ...risotto, price: "99 €" };
    const tart = { ...soup, name: "lemon tart", price: "6 €", description: "with gold" };
    const { menu, calls } = await menuOf("invented", [told(soup, pizza, dear, tart)]);
    const [items] = menu?.sections.map((section) => section.items) ?? [];
    expect(items?.map(({ name, price }) => [name, price?.amount])).toEqual([
      ["Tomato soup", 5.5],
      ["lemon tart", 6],
    ]);
    expect([items?.[1]?.description, calls]).toEqual([undefined, 2]);
  });

  test.each<readonly [string, readonly Step[], number]>([
    ["sees none either", [{ say: { text: '{"items": []}' } }], 1],
    [
      "invents all of it",
      [told({ ...soup, name: "Pizza", price: "9 €" }, { ...soup, name: "Pasta", price: "8 €" })],
      2,
    ],
    ["finds one dish alone", [told(soup)], 1],
    ["fails", [{ status: 500, body: "" }], 3],
    ["says something else", [{ say: { text: '{"dishes": 3}' } }], 3],
  ])("is none where the model %s", async (name, next, calls) => {
    const data = await menuOf(name, next);
    expect(data).not.toHaveProperty("menu");
    expect([data.warning, data.calls]).toEqual([NONE, calls]);
  });

  test("is asked for again where the model failed", async () => {
    await menuOf("again", [{ status: 401, body: "" }]);
    expect((await menuOf("again", [told(soup, risotto)])).menu).toBeDefined();
  });
});

test.each([
  ["zero data retention", { zeroDataRetention: true }],
  ["what rules find", {}],
  ["a page without figures", {}],
])("no model is asked of %s", async (name, request) => {
  const listed = `<main><h1>Menu</h1><h2>Mains</h2><ul><li>Tomato soup <b>€5.50</b></li><li>Mushroom risotto <b>€13.50</b></li></ul></main>`;
  const pages = new Map([
    ["what rules find", listed],
    ["a page without figures", "<main><h1>Nonna</h1><p>We cook.</p></main>"],
  ]);
  const { calls } = await menuOf(name, [told(soup, risotto)], request, pages.get(name));
  expect(calls).toBe(0);
});
