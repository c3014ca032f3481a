import { describe, expect, test } from "vitest";

import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { findMenu } from "./find-menu.ts";

const URL = "http://restaurant.test/menu";

function menuOf(body: string, head = "<title>Menu | Osteria</title>") {
  const source = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
  const tree = parseHtml(source);
  return findMenu(
    gatherEvidence({ tree, source: () => source, metadata: () => extractMetadata(tree, URL) }),
    URL,
  );
}

/** Section → name and price of its items. */
function outline(menu: ReturnType<typeof menuOf>) {
  return menu?.sections.map(({ name, items }) => [
    name,
    items.map((item) => [item.name, item.price?.amount]),
  ]);
}

const EXPECTED = [
  [
    "Starters",
    [
      ["Tomato soup", 5.5],
      ["Garlic bread", 4],
    ],
  ],
  ["Mains", [["Mushroom risotto", 13.5]]],
];

const item = (name: string, price: string) =>
  `<article class="dish"><h4 class="dish-name">${name}</h4><p>Made here</p><span class="dish-price">${price}</span></article>`;

describe("a menu is read from", () => {
  test.each([
    [
      "tables with rows of one cell",
      `<table><tr><th colspan="2">Starters</th></tr><tr><td>Tomato soup</td><td>€5.50</td></tr><tr><td>Garlic bread</td><td>€4.00</td></tr>
      <tr><th colspan="2">Mains</th></tr><tr><td>Mushroom risotto</td><td>€13.50</td></tr></table>`,
    ],
    [
      "cards",
      `<h2>Starters</h2>${item("Tomato soup", "€5.50")}${item("Garlic bread", "€4.00")}<h2>Mains</h2>${item("Mushroom risotto", "€13.50")}`,
    ],
    [
      "tables",
      `<h2>Starters</h2><table><tr><td>Tomato soup</td><td>€5.50</td></tr><tr><td>Garlic bread</td><td>€4.00</td></tr></table>
      <h2>Mains</h2><table><tr><td>Mushroom risotto</td><td>€13.50</td></tr></table>`,
    ],
    [
      "lines with dots",
      `<h2>Starters</h2><p>Tomato soup ..... €5.50</p><p>Garlic bread ..... €4.00</p><h2>Mains</h2><p>Mushroom risotto ..... €13.50</p>`,
    ],
    [
      "lines with colons",
      `<h2>Starters</h2><p>Tomato soup: €5.50</p><p>Garlic bread: €4.00</p><h2>Mains</h2><p>Mushroom risotto: €13.50</p>`,
    ],
  ])("%s", (_, body) => {
    const menu = menuOf(`<main><h1>Our menu</h1>${body}</main><footer>Delivery from €15.00</footer>`);
    expect(outline(menu)).toEqual(EXPECTED);
    expect(menu).toMatchObject({ currency: "EUR", merchant: { name: "Osteria" } });
  });

  test("JSON-LD, with diets, calories and the restaurant", () => {
    const dish = {
      "@type": "MenuItem",
      name: "Tomato soup",
      suitableForDiet: "https://schema.org/VeganDiet",
      nutrition: { "@type": "NutritionInformation", calories: "180 calories" },
      offers: { "@type": "Offer", price: "5.50", priceCurrency: "EUR" },
    };
    const restaurant = {
      "@type": "Restaurant",
      name: "Osteria",
      address: { "@type": "PostalAddress", streetAddress: "Via Roma 1", addressLocality: "Torino" },
      hasMenu: {
        "@type": "Menu",
        hasMenuSection: { "@type": "MenuSection", name: "Starters", hasMenuItem: [dish] },
      },
    };
    const menu = menuOf(
      "<h1>Osteria</h1>",
      `<script type="application/ld+json">${JSON.stringify(restaurant)}</script>`,
    );
    expect(menu).toMatchObject({
      merchant: { name: "Osteria", type: "Restaurant", location: "Via Roma 1, Torino" },
      sections: [
        {
          name: "Starters",
          items: [
            {
              name: "Tomato soup",
              dietary: ["vegan"],
              calories: 180,
              price: { amount: 5.5, currency: "EUR" },
            },
          ],
        },
      ],
    });
  });

  test("the state of an ordering page, with the choices of an item", () => {
    const sections = [
      {
        title: "Pizza",
        items: [
          {
            id: "p1",
            name: "Pizza Margherita",
            price: 8.5,
            modifierGroups: [{ name: "Size", options: [{ name: "Large", price: 2 }] }],
          },
          { id: "p2", name: "Pizza Funghi", price: 9.5 },
        ],
      },
    ];
    const menu = menuOf(
      `<h1>Menu</h1><script>window.__DATA__ = ${JSON.stringify({ store: { menu: { sections } } })}</script>`,
    );
    expect(outline(menu)).toEqual([
      [
        "Pizza",
        [
          ["Pizza Margherita", 8.5],
          ["Pizza Funghi", 9.5],
        ],
      ],
    ]);
    expect(menu?.sections[0]?.items[0]).toMatchObject({
      merchantItemId: "p1",
      optionGroups: [{ name: "Size", options: [{ name: "Large", price: { amount: 2 } }] }],
    });
  });
});

describe("no menu are", () => {
  test.each([
    [
      "plans",
      "<h1>Plans</h1><h2>Starter</h2><p>One user</p><p>$9.00 a month</p><h2>Main</h2><p>Ten users</p><p>$49.00 a month</p>",
    ],
    ["a review", "<h1>We ate there</h1><p>The soup (€12.50) was fine and the cake (€6.00) better.</p>"],
    [
      "a shop",
      `<h1>Tea and coffee</h1>${["Green tea", "Black tea", "Coffee beans"].map((name) => `<div class="card"><h3>${name}</h3><span>$9.00</span><button>Add to cart</button></div>`).join("")}`,
    ],
    ["nothing", ""],
  ])("%s", (_, body) => {
    expect(menuOf(body, "<title>Page</title>")).toBeUndefined();
  });
});

test.each([".", "·", "_ ", "1", " ", "1.", "$", "("])(
  "an item with much of %j takes little time",
  (piece) => {
    const much = piece.repeat(200_000 / piece.length);
    const dishes = `<p>Tomato soup: ${much}x €5.50</p><p>Onion soup (${much}: €6.00</p>`;
    const before = process.cpuUsage();
    menuOf(`<h1>Menu</h1><h2>Soups</h2>${dishes}${item(`Bread ${much}x`, "€4.00")}`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(4000);
  },
);

describe("hostile data", () => {
  const jsonLd = (data: string) =>
    menuOf("<h1>Menu</h1>", `<script type="application/ld+json">${data}</script>`);
  const soup = { "@type": "MenuItem", name: "Tomato soup", offers: { price: 5.5, priceCurrency: "EUR" } };

  test("of 20,000 dishes some are told, soon", () => {
    const section = {
      "@type": "MenuSection",
      name: "Soups",
      hasMenuItem: Array.from({ length: 10 }, () => soup),
    };
    const data = { "@type": "Menu", hasMenuSection: Array.from({ length: 2000 }, () => section) };
    const before = process.cpuUsage();
    expect(jsonLd(JSON.stringify(data))?.sections).toHaveLength(200);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(4000);
  });

  test("sections that hold themselves are told once", () => {
    const graph = [
      { "@id": "#menu", "@type": "Menu", hasMenuSection: { "@id": "#soups" } },
      {
        "@id": "#soups",
        "@type": "MenuSection",
        name: "Soups",
        hasMenuSection: { "@id": "#soups" },
        hasMenuItem: [soup],
      },
    ];
    expect(outline(jsonLd(JSON.stringify({ "@graph": graph })))).toEqual([["Soups", [["Tomato soup", 5.5]]]]);
  });

  test("sections inside each other 10,000 times do no harm", () => {
    const open = '{"@type":"MenuSection","name":"S","hasMenuSection":';
    expect(() => jsonLd(`${open.repeat(10_000)}{}${"}".repeat(10_000)}`)).not.toThrow();
  });

  test("names of prototypes in a state are names like any other", () => {
    const items = `[{"name":"Pizza Margherita","price":8.5,"constructor":{"prototype":{"price":1}}},{"name":"Pizza Funghi","price":9.5}]`;
    const state = `{"__proto__":{"sections":[1]},"menu":{"sections":[{"title":"Pizza","__proto__":{"items":[]},"items":${items}}]}}`;
    const menu = menuOf(`<h1>Menu</h1><script>window.__DATA__ = ${state}</script>`);
    expect(menu?.sections[0]?.items).toHaveLength(2);
    expect(({} as { sections?: unknown }).sections).toBeUndefined();
  });
});

describe("prices without a currency", () => {
  const dishes = [
    ["Tomato soup", "5.50"],
    ["Garlic bread", "4.00"],
    ["Mushroom risotto", "13.50"],
    ["Apple pie", "6.00"],
    ["Lemon cake", "5.20"],
  ];
  const list = (written: (price: string, at: number) => string) =>
    dishes
      .map(([name = "", price = ""], at) => `<li><b>${name}</b> <i>${written(price, at)}</i></li>`)
      .join("");

  test("are those of a card, where they have decimals and the page calls itself one", () => {
    expect(outline(menuOf(`<h2>All day</h2><ul>${list((price) => price)}</ul>`))).toEqual([
      ["All day", dishes.map(([name, price]) => [name, Number(price)])],
    ]);
  });

  test("are none on other pages, and numbers that count on are none anywhere", () => {
    expect(
      menuOf(`<h2>All day</h2><ul>${list((price) => price)}</ul>`, "<title>Scores</title>"),
    ).toBeUndefined();
    expect(menuOf(`<h2>All day</h2><ul>${list((_, at) => String(at + 1))}</ul>`)).toBeUndefined();
  });

  test("20,000 of them end", () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `<p>Soup ${at}<br><b>${at % 90}</b></p>`).join("");
    expect(menuOf(`<div>${rows}</div>`)?.sections.length ?? 0).toBeLessThan(2000);
  });
});
