import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { call, done } from "../agent-model.ts";
import { htmlPage } from "../site.ts";
import { CLIENTS, NOTE } from "./clients.ts";
import { openSurroundings, type Surroundings } from "./surroundings.ts";

describe.skipIf(CLIENTS === "")(`F-97 the official command line${NOTE}`, () => {
  let surroundings: Surroundings;
  let model: Surroundings["model"];
  let site: Surroundings["site"];
  let clients: Surroundings["clients"];

  beforeAll(async () => {
    surroundings = await openSurroundings();
    ({ model, site, clients } = surroundings);
  });

  afterAll(() => surroundings.close());

  test("maps, crawls, asks and cancels", async () => {
    const urls = ["/", "/a", "/b"].map((path) => site.url(path));
    const mapped = await clients.say("map", site.url("/"));
    expect(mapped.trim().split("\n").toSorted()).toEqual(urls);
    const words = ["--wait", "--poll-interval", "1", "--limit", "10"];
    const crawled = await clients.say("crawl", site.url("/"), ...words);
    expect(JSON.parse(crawled)).toMatchObject({ status: "completed", completed: 3, creditsUsed: 3 });
    const [id = ""] = /[0-9a-f-]{36}/.exec(await clients.say("crawl", site.url("/hanging"))) ?? [];
    expect(JSON.parse(await clients.say("crawl", id))).toMatchObject({ id, status: "scraping" });
    expect(JSON.parse(await clients.say("crawl", id, "--cancel"))).toMatchObject({ id, status: "cancelled" });
  });

  test("finds a page that has been read, and rates what it found", async () => {
    await clients.say("scrape", site.url("/ships"));
    const search = async () =>
      JSON.parse(await clients.say("search", "schooners timber", "--json")) as {
        id: string;
        data: { web: readonly object[] };
      };
    await expect.poll(async () => (await search()).data.web).toMatchObject([{ url: site.url("/ships") }]);
    const { id } = await search();
    const rated = await clients.say(
      "search-feedback",
      id,
      "--rating",
      "bad",
      "--query-suggestions",
      "say ship",
      "--json",
    );
    expect(JSON.parse(rated)).toMatchObject({ success: true });
    const scraped = await clients.say("search", "schooners timber", "--scrape", "--json");
    expect(JSON.parse(scraped)).toMatchObject({
      data: { web: [{ markdown: expect.stringContaining("Anna carries") }] },
    });
  });

  test("parses a file", async () => {
    const path = join(clients.home, "prices.html");
    await writeFile(path, htmlPage("<main><h1>Prices</h1><p>Green tea costs three crowns.</p></main>"));
    expect(await clients.say("parse", path)).toMatch(/^# Prices\n\nGreen tea costs three crowns\./);
    expect(await clients.say("parse", path, "--query", "What does green tea cost?")).toContain(
      "three crowns",
    );
    const both = JSON.parse(await clients.say("parse", path, "--format", "markdown,links"));
    expect(both).toMatchObject({ markdown: expect.stringContaining("# Prices"), links: [] });
  });

  test("watches a page", async () => {
    const words = ["--name", "Ships", "--page", site.url("/ships"), "--schedule", "every 30 minutes"];
    const made = JSON.parse(await clients.say("monitor", "create", ...words));
    const { id } = made.data;
    expect(made).toMatchObject({ success: true, data: { name: "Ships", status: "active" } });
    const ask = async (...more: readonly string[]) => JSON.parse(await clients.say("monitor", ...more));
    expect(await ask("list")).toMatchObject({ data: [{ id }] });
    expect(await ask("get", id)).toMatchObject({ data: { id } });
    const { data: check } = await ask("run", id);
    const checkOf = async () => (await ask("check", id, check.id)).data;
    await expect.poll(async () => (await checkOf()).status).toBe("completed");
    expect(await checkOf()).toMatchObject({ summary: { totalPages: 1, new: 1 } });
    expect(await ask("checks", id)).toMatchObject({ data: [{ id: check.id }] });
    expect(await ask("update", id, "--state", "paused")).toMatchObject({ data: { status: "paused" } });
    expect(await ask("delete", id)).toMatchObject({ success: true });
    expect(await ask("list")).toMatchObject({ data: [] });
  });

  test("lets an agent find an answer", async () => {
    model.play("tonnage.", [
      call("scrape", { url: site.url("/ships") }),
      done({ ship: "Anna", tonnes: 1200 }),
    ]);
    const words = ["tonnage. Which ship?", "--wait", "--poll-interval", "1", "--json"];
    expect(JSON.parse(await clients.say("agent", ...words))).toMatchObject({
      status: "completed",
      data: { ship: "Anna", tonnes: 1200 },
    });
    model.play("slowly.", ["never"]);
    const started = await clients.say("agent", "slowly. Which ship?");
    const [id = ""] = /[0-9a-f-]{36}/.exec(started) ?? [];
    expect(await clients.say("agent", id, "--status")).toContain("processing");
    await clients.say("agent", id, "--cancel");
    expect(await clients.say("agent", id, "--status")).toContain("cancelled");
  });
});
