import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { dialectNames } from "../../packages/server/src/storage/models/dialects.ts";
import { startModelDouble } from "../../packages/server/src/storage/models/model-double.suite.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";
import { openWorld } from "../world.ts";
import { CLIENTS, InstalledClients, NOTE } from "./clients.ts";

const PAGE = `<main><h1>The harbour</h1><p>The harbour of Elmstad was opened by Queen Marta in 1874.</p>
  <p>Around 240 ships call every month. Most of them carry timber.</p>
  <table><tr><th>Ship</th><th>Tonnes</th></tr><tr><td>Anna</td><td>1200</td></tr><tr><td>Bertha</td><td>900</td></tr></table></main>`;
const QUESTION = "When was the harbour opened?";
const ANSWER = "The harbour of Elmstad was opened by Queen Marta in 1874.";
const SHIPS = [
  { ship: "Anna", tonnes: 1200 },
  { ship: "Bertha", tonnes: 900 },
];
const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    ships: {
      type: "array",
      items: {
        type: "object",
        properties: { ship: { type: "string" }, tonnes: { type: "integer" } },
        required: ["ship", "tonnes"],
      },
    },
  },
  required: ["title", "ships"],
};

const TOOLS = `
import { scrape } from "firecrawl-aisdk";
const [url, prompt] = process.argv.slice(2);
const result = await scrape.execute({ url, formats: [{ type: "query", prompt }] }, { toolCallId: "1", messages: [] });
console.log(JSON.stringify(result));
`;

const SAID = "In 1874, by Queen Marta.";

describe.skipIf(CLIENTS === "").each(dialectNames)(`A60 with a model that speaks %s${NOTE}`, (api) => {
  test("`scrape --query` of the command line prints what it says", async () => {
    const said = { text: JSON.stringify({ found: true, answer: SAID }) };
    const double = await startModelDouble(api, [{ say: said }]);
    const world = await openWorld({ LLM_BASE_URL: double.url, LLM_MODEL: "double", LLM_API: api });
    const clients = await InstalledClients.open(world.baseUrl);
    try {
      const url = world.site.page("/harbour", htmlPage(PAGE));
      expect(await clients.say("scrape", url, "--query", QUESTION)).toContain(SAID);
      expect(double.requests).toHaveLength(1);
    } finally {
      await world.close();
      double.close();
      await clients.close();
    }
  });
});

describe.skipIf(CLIENTS === "")(`official clients on a machine without a model${NOTE}`, () => {
  const world = useSharedWorld();
  let url: string;
  let clients: InstalledClients;

  beforeAll(async () => {
    url = world.site.page("/harbour", htmlPage(PAGE));
    clients = await InstalledClients.open(world.baseUrl);
  });

  afterAll(async () => {
    await clients.close();
  });

  test("A60 `scrape --query` of the command line prints the answer", async () => {
    expect(await clients.say("scrape", url, "--query", QUESTION)).toContain(ANSWER);
  });

  test("the tool of firecrawl-aisdk asks with query", async () => {
    const file = join(CLIENTS, "pergamon-query.mjs");
    await writeFile(file, TOOLS);
    const printed = await clients.node(file, url, QUESTION);
    await rm(file);
    expect(printed).toContain(ANSWER);
  });

  test("the MCP server answers its json and query formats", async () => {
    await clients.withMcp(async (ask) => {
      const scrape = (more: object) => ask("firecrawl_scrape", { url, ...more });
      const asked = await scrape({ formats: ["query"], queryOptions: { prompt: QUESTION } });
      expect(asked).toContain(ANSWER);
      const quoted = { prompt: QUESTION, mode: "directQuote" };
      expect(await scrape({ formats: ["query"], queryOptions: quoted })).toContain(ANSWER);
      const filled = await scrape({
        formats: ["json"],
        jsonOptions: { prompt: "The ships", schema: SCHEMA },
      });
      for (const { ship, tonnes } of SHIPS) expect(filled).toMatch(new RegExp(`${ship}.{1,40}${tonnes}`));
    });
  });
});
