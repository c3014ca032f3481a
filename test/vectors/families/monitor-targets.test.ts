import { expect, test } from "vitest";

import { MonitorClient, type MonitorData } from "../../monitors.ts";
import { RunClient } from "../../runs.ts";
import { htmlPage } from "../../site.ts";
import { useSharedWorld } from "../../use-world.ts";

const world = useSharedWorld();
let pages = 0;

/** Statuses, and values by path, of checks of a page that shows these contents one after another. */
async function watch(target: object, contents: readonly string[]): Promise<readonly unknown[]> {
  const path = `/watched-${(pages += 1)}`;
  const monitors = new MonitorClient(new RunClient(world));
  const show = (content: string) => world.site.page(path, htmlPage(`<main><h1>Anvil</h1>${content}</main>`));
  let id: string | undefined;
  const seen: unknown[] = [];
  for (const content of contents) {
    const url = show(content);
    id ??= await monitors.create({ targets: [{ type: "scrape", url, ...target }] });
    seen.push(resultOf(await monitors.check(id)));
  }
  return seen;
}

function resultOf({ pages: [page] }: MonitorData): unknown {
  const { json = {} } = page?.diff ?? {};
  const values = Object.entries(json).filter(([path]) => path !== "files");
  return values.length > 0 ? Object.fromEntries(values) : page?.status;
}

const IGNORE = { selectors: [".ad"], text: ["as SEEN on"], patterns: ["[0-9]+ in line"] };
const note = (ad: string, line: string, count: number, price: number) =>
  `<p class="ad">${ad}</p><p>As seen on ${line}.</p><p>Hammers: ${count} in line at ${price} crowns.</p>`;

test("A87 what a target ignores is no change, everything else is", async () => {
  const steps = [note("a", "TV", 3, 10), note("b", "radio", 4, 10), note("b", "radio", 4, 11)];
  expect(await watch({ ignore: IGNORE }, steps)).toEqual(["new", "same", "changed"]);
  expect(await watch({}, steps)).toEqual(["new", "changed", "changed"]);
});

const sold = (price: number, stock = "InStock") =>
  `<p>The best one.</p><script type="application/ld+json">${JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Product",
    name: "Anvil",
    offers: { "@type": "Offer", price, priceCurrency: "EUR", availability: `https://schema.org/${stock}` },
  })}</script>`;

test("A88 a product changes with its stock, and with its price from the threshold on", async () => {
  const steps = [
    sold(100),
    sold(103),
    sold(106),
    sold(106, "OutOfStock"),
    "<p>We moved.</p>",
    sold(106, "OutOfStock"),
  ];
  expect(await watch({ kind: "product", threshold: "5%" }, steps)).toEqual([
    "new",
    "same",
    { price: { previous: 100, current: 106 } },
    { inStock: { previous: true, current: false } },
    "error",
    "same",
  ]);
});

test("A89 a value is read by its hint, and its absence is an error", async () => {
  const schema = { type: "object", properties: { price: { type: "string", "x-selector": ".price" } } };
  const steps = ["10", "12"].map((price) => `<p>${pages} notes</p><p class="price">${price}</p>`);
  expect(await watch({ kind: "value", schema }, [...steps, "<p>None.</p>"])).toEqual([
    "new",
    { price: { previous: "10", current: "12" } },
    "error",
  ]);
});

test.each([
  [{ kind: "value" }, ["targets", 0, "schema"]],
  [{ schema: { type: "object" } }, ["targets", 0, "schema"]],
  [{ threshold: 5 }, ["targets", 0, "threshold"]],
  [{ kind: "product", threshold: "a lot" }, ["targets", 0, "threshold"]],
  [{ ignore: { patterns: ["(?=a)"] } }, ["targets", 0, "ignore", "patterns", 0]],
  [{ ignore: { patterns: ["[a-c]{700}[d-f]{700}[g-i]{700}"] } }, ["targets", 0, "ignore", "patterns"]],
  [{ ignore: { selector: ".ad" } }, ["targets", 0, "ignore"]],
])("A90 %j is refused", async (target, path) => {
  const monitors = new MonitorClient(new RunClient(world));
  const targets = [{ type: "scrape", url: world.site.url("/"), ...target }];
  const { status, body } = await monitors.ask("POST /v2/monitor", {
    name: "Bad",
    schedule: { text: "hourly" },
    targets,
  });
  expect([status, body.details[0]?.path]).toEqual([400, path]);
});
