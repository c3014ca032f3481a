import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { call, done } from "../agent-model.ts";
import { htmlPage } from "../site.ts";
import { CLIENTS, NOTE } from "./clients.ts";
import { openSurroundings, type Surroundings } from "./surroundings.ts";

const ID = /[0-9a-f-]{36}/;

describe.skipIf(CLIENTS === "")(`F-98 the official MCP server${NOTE}`, () => {
  let surroundings: Surroundings;
  let model: Surroundings["model"];
  let site: Surroundings["site"];
  let clients: Surroundings["clients"];

  beforeAll(async () => {
    surroundings = await openSurroundings();
    ({ model, site, clients } = surroundings);
  });

  afterAll(() => surroundings.close());

  test("maps, crawls, and asks about the crawl", () =>
    clients.withMcp(async (ask) => {
      expect(await ask("firecrawl_map", { url: site.url("/") })).toContain(site.url("/b"));
      const [id = ""] = ID.exec(await ask("firecrawl_crawl", { url: site.url("/"), limit: 10 })) ?? [];
      const asked = () => ask("firecrawl_check_crawl_status", { id });
      await expect.poll(asked).toMatch(/completed/);
      expect(await asked()).toContain("Page /a");
    }));

  test("finds a page that has been read, and rates what it found", () =>
    clients.withMcp(async (ask) => {
      await ask("firecrawl_scrape", { url: site.url("/ships"), formats: ["markdown"] });
      const search = () => ask("firecrawl_search", { query: "schooners timber", sources: [{ type: "web" }] });
      await expect.poll(search).toContain(site.url("/ships"));
      const [searchId = ""] = ID.exec(await search()) ?? [];
      const rating = { searchId, rating: "bad", querySuggestions: "say ship" };
      expect(await ask("firecrawl_search_feedback", rating)).toContain("success");
    }));

  test("parses a file, and takes values from a page", () =>
    clients.withMcp(async (ask) => {
      const filePath = join(clients.home, "prices.html");
      await writeFile(filePath, htmlPage("<main><h1>Prices</h1><p>Green tea costs three crowns.</p></main>"));
      expect(await ask("firecrawl_parse", { filePath, formats: ["markdown"] })).toContain("three crowns");
      const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
      const jsonOptions = { prompt: "The title", schema };
      const filled = await ask("firecrawl_scrape", {
        url: site.url("/ships"),
        formats: ["json"],
        jsonOptions,
      });
      expect(filled).toMatch(/title.{1,10}Schooners/);
    }));

  test("watches a page", () =>
    clients.withMcp(async (ask) => {
      const made = await ask("firecrawl_monitor_create", {
        body: {
          name: "Ships",
          schedule: { text: "every 30 minutes" },
          targets: [{ type: "scrape", urls: [site.url("/ships")] }],
        },
      });
      const [id = ""] = ID.exec(made) ?? [];
      expect(await ask("firecrawl_monitor_list", {})).toContain(id);
      expect(await ask("firecrawl_monitor_get", { id })).toContain("Ships");
      const [checkId = ""] = ID.exec((await ask("firecrawl_monitor_run", { id })).replaceAll(id, "")) ?? [];
      await expect.poll(() => ask("firecrawl_monitor_check", { id, checkId })).toContain("completed");
      expect(await ask("firecrawl_monitor_checks", { id })).toContain(checkId);
      expect(await ask("firecrawl_monitor_update", { id, body: { status: "paused" } })).toContain("paused");
      expect(await ask("firecrawl_monitor_delete", { id })).toContain("success");
      expect(await ask("firecrawl_monitor_list", {})).not.toContain(id);
    }));

  test("lets an agent find an answer", () =>
    clients.withMcp(async (ask) => {
      model.play("tonnage.", [
        call("scrape", { url: site.url("/ships") }),
        done({ ship: "Anna", tonnes: 1200 }),
      ]);
      const started = await ask("firecrawl_agent", { prompt: "tonnage. Which ship?" });
      const [id = ""] = ID.exec(started) ?? [];
      await expect.poll(() => ask("firecrawl_agent_status", { id })).toContain("completed");
      expect(await ask("firecrawl_agent_status", { id })).toContain("1200");
    }));
});
