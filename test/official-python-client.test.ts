import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { describe, expect, test } from "vitest";

import { startModelDouble } from "../packages/server/src/storage/models/model-double.suite.ts";
import { call, done, NEVER, startAgentModel } from "./agent-model.ts";
import { openCrawlSite } from "./crawls.ts";
import { hasPythonClient, PYTHON } from "./installed-clients/clients.ts";
import { PYTHON_VERSION_1 } from "./python-version-1.ts";
import { PYTHON_JOBS, PYTHON_MONITORS, PYTHON_PREVIEW, PYTHON_STORED } from "./python-jobs.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";
import { openWorld } from "./world.ts";

const run = promisify(execFile);

/** Asks for values with a model of pydantic, and prints what such a model reads of them. */
const WITH_MODEL = `
import json, sys
from firecrawl import Firecrawl
from pydantic import BaseModel
class Ship(BaseModel):
    ship: str
    tonnes: int
class Harbour(BaseModel):
    title: str
    ships: list[Ship]
client = Firecrawl(api_key="fc-anything", api_url=sys.argv[1])
document = client.scrape(sys.argv[2], formats=[{"type": "json", "schema": Harbour}])
print(json.dumps(Harbour.model_validate(document.json).model_dump()))
`;

/** Every method of agents, with and without asyncio. */
const AGENTS = `
import asyncio, json, sys
from firecrawl import AsyncFirecrawl, Firecrawl
from pydantic import BaseModel
class Ship(BaseModel):
    ship: str
    tonnes: int
url, page = sys.argv[1:]
client = Firecrawl(api_key="fc-anything", api_url=url)
ended = client.agent(prompt="find Anna", schema=Ship, effort="low", model="spark-2", max_credits=50,
    location={"country": "DE"}, exchange={"enabled": False}, poll_interval=1)
started = client.start_agent([page], prompt="find Anna", strict_constrain_to_urls=True, thread_id=ended.thread_id)
while client.get_agent_status(started.id).status == "processing": pass
trace = client.get_agent_trace(started.id, live_view=True)
events = trace.model_dump(by_alias=True)["events"]
snapshot_id = next(e["artifact"]["snapshotId"] for e in events if e["type"] == "artifact.updated")
snapshot = client.get_agent_snapshot(started.id, snapshot_id)
thread = client.get_agent_thread(ended.thread_id, include_data=True)
endless = client.start_agent(None, prompt="endless")
cancelled = client.cancel_agent(endless.id)
async def again():
    other = AsyncFirecrawl(api_key="fc-anything", api_url=url)
    done = await other.agent(prompt="find Anna", poll_interval=1)
    return done.status
print(json.dumps([ended.status, Ship.model_validate(ended.data).model_dump(), ended.credits_used,
    "Anna" in snapshot.snapshot, len(thread.thread.runs), cancelled, asyncio.run(again()), len(client.list_agents().agents)]))
`;

/** Takes values from two pages, in one call and in two. */
const EXTRACT = `
import json, sys
from firecrawl import Firecrawl
client = Firecrawl(api_key="fc-anything", api_url=sys.argv[1])
schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
whole = client.extract(sys.argv[2:], schema=schema, show_sources=True, poll_interval=1)
started = client.start_extract(sys.argv[2:], schema=schema)
state = client.get_extract_status(started.id)
print(json.dumps([whole.status, whole.data, whole.sources, bool(whole.warning), state.status in ("processing", "completed")]))
`;

/** Of one start of Python, on a slow machine. */
const TIMEOUT_MS = 120_000;

describe.runIf(hasPythonClient)("the official Python client", () => {
  const world = useSharedWorld();

  test(
    "fills a model of pydantic, on a machine without a language model",
    async () => {
      const url = world.site.page(
        "/harbour",
        htmlPage(`<main><h1>The harbour</h1><p>The harbour of Elmstad was opened in 1874.</p>
        <table><tr><th>Ship</th><th>Tonnes</th></tr><tr><td>Anna</td><td>1200</td></tr><tr><td>Bertha</td><td>900</td></tr></table></main>`),
      );
      const { stdout } = await run(PYTHON, ["-c", WITH_MODEL, world.baseUrl, url]);
      const ships = [
        { ship: "Anna", tonnes: 1200 },
        { ship: "Bertha", tonnes: 900 },
      ];
      expect(JSON.parse(stdout)).toEqual({ title: "The harbour", ships });
    },
    TIMEOUT_MS,
  );

  test(
    "F-96 starts, watches, reads and cancels agents",
    async () => {
      const model = await startAgentModel();
      const service = await openWorld(model.settings);
      try {
        const page = service.site.page("/anna", htmlPage("<main><h1>Anna</h1><p>1200 tonnes.</p></main>"));
        const anna = { ship: "Anna", tonnes: 1200 };
        model.play("find Anna", [call("scrape", { url: page }), done(anna, { sources: [page] })]);
        model.play("endless", [NEVER]);
        const { stdout } = await run(PYTHON, ["-c", AGENTS, service.baseUrl, page]);
        expect(JSON.parse(stdout)).toEqual(["completed", anna, 3, true, 2, true, "completed", 4]);
      } finally {
        await service.close();
        model.close();
      }
    },
    TIMEOUT_MS,
  );

  test(
    "F-96 makes, runs, edits and deletes monitors, and reads all pages of a check",
    async () => {
      const page = htmlPage("<main><h1>Prices</h1><p>One anvil costs 10 crowns.</p></main>");
      const urls = Array.from({ length: 30 }, (_, index) => world.site.page(`/price/${index}`, page));
      const { stdout } = await run(PYTHON, ["-c", PYTHON_MONITORS, world.baseUrl, ...urls]);
      const states = { made: "active", listed: true, trigger: "manual", check: "completed" };
      const pages = { pages: 30, first: 25, new: 30, same: 0, checks: 1 };
      const rest = {
        edited: ["paused", "Cheap anvils"],
        read: "Prices",
        deleted: true,
        gone: 404,
        async: true,
      };
      expect(JSON.parse(stdout)).toEqual({ ...states, ...pages, ...rest });
    },
    TIMEOUT_MS,
  );

  test(
    "A89 to A93 reads chunks, asks stored pages again and watches a value",
    async () => {
      let price = 12;
      const page = (name: string, value: number) =>
        htmlPage(`<main><h1>${name}</h1><p class="price">${value} euros</p><a href="/b">b</a></main>`);
      const site = await openCrawlSite({ "/": page("Lantern", 12), "/b": page("Crane", 340) });
      site.page("/next", (_request, response) => void response.end(page("Next", (price += 1))));
      try {
        const { stdout } = await run(PYTHON, ["-c", PYTHON_STORED, world.baseUrl, site.url("")]);
        const { extract, wrong, ...told } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
        expect(told).toEqual({
          chunks: [
            [["Lantern"], 0],
            [["Crane"], 0],
          ],
          batch: [2, 0, ["12 euros", "340 euros"]],
          search: ["/", "/b"],
          monitor: [
            ["new", null],
            ["changed", { previous: "13 euros", current: "14 euros" }],
          ],
        });
        expect(extract).toEqual(["completed", expect.stringMatching(/^(?:12|340) euros$/)]);
        expect(wrong).toMatch(/Invalid request body.*query must have at most 500 characters/);
      } finally {
        await site.close();
      }
    },
    TIMEOUT_MS,
  );

  test(
    "F-96 reads the options of a crawl that a model finds in a prompt",
    async () => {
      const text = JSON.stringify({ includePaths: ["^/blog/"], limit: 20 });
      const model = await startModelDouble("openai", [{ say: { text } }]);
      const service = await openWorld({ LLM_BASE_URL: model.url, LLM_MODEL: "double", LLM_API: "openai" });
      try {
        const { stdout } = await run(PYTHON, ["-c", PYTHON_PREVIEW, service.baseUrl, service.site.url("/")]);
        expect(JSON.parse(stdout)).toEqual([["^/blog/"], 20]);
      } finally {
        await service.close();
        model.close();
      }
    },
    TIMEOUT_MS,
  );

  test(
    "extracts from several pages",
    async () => {
      const page = htmlPage("<main><h1>The harbour</h1><p>It has three piers.</p></main>");
      const urls = ["/one", "/two"].map((path) => world.site.page(path, page));
      const { stdout } = await run(PYTHON, ["-c", EXTRACT, world.baseUrl, ...urls]);
      const [status, data, sources, ...others] = JSON.parse(stdout) as unknown[];
      expect([status, data, ...others]).toEqual(["completed", { title: "The harbour" }, true, true]);
      expect(new Set((sources as { readonly title: readonly string[] }).title)).toEqual(new Set(urls));
    },
    TIMEOUT_MS,
  );

  test(
    "does in version 1 what it can",
    async () => {
      const site = await openCrawlSite({ "/": ["/x", "/y"], "/x": [], "/y": ["/"] });
      try {
        const { stdout } = await run(PYTHON, ["-c", PYTHON_VERSION_1, world.baseUrl, site.url("")]);
        const all = ["/", "/x", "/y"];
        // The client prints lines of its own before.
        expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
          scrape: "# Page /x",
          map: all,
          crawl: ["completed", 3, 3, all],
          batch: ["completed", 2, 2, ["/x", "/y"]],
          later: ["completed", 3, 3, all],
          "batch later": ["completed", 1, 1, ["/x"]],
          extract: { title: "Page /x" },
          "never built": [true, true],
          "async scrape": "# Page /x",
          "async map": all,
          "async crawl": ["completed", 3, 3, all],
          "async started": [
            ["completed", 3, 3, all],
            ["completed", 1, 1, ["/x"]],
          ],
          "async extract": { title: "Page /x" },
          "async batch": ["completed", 2, 2, ["/x", "/y"]],
        });
      } finally {
        await site.close();
      }
    },
    TIMEOUT_MS,
  );

  test(
    "F-96 maps, crawls, makes batches and watches them, one after the other and beside others",
    async () => {
      const site = await openCrawlSite({ "/": ["/a", "/b"], "/a": [], "/b": ["/"] });
      site.page("/hanging", () => undefined);
      try {
        const words = [world.baseUrl, site.url(""), site.url("/hanging")];
        const { stdout } = await run(PYTHON, ["-c", PYTHON_JOBS, ...words]);
        const all = ["/", "/a", "/b"];
        const crawled = ["completed", 3, 3, 3, all];
        const batched = ["completed", 2, 2, 2, ["/a", "/b"]];
        expect(JSON.parse(stdout)).toEqual({
          map: all,
          crawl: crawled,
          batch: batched,
          active: [true],
          "under way": "scraping",
          cancelled: [true, "cancelled"],
          "too late": false,
          page: [2, null],
          errors: [0, []],
          invalid: ["http://"],
          appended: true,
          "batch page": [1, null],
          stopped: [true, "cancelled"],
          "batch errors": 0,
          search: ["/a"],
          parse: "# Harbour\n\nThree piers.",
          "parse formats": true,
          "watched crawl": ["completed", all],
          "watched batch": ["completed", ["/a", "/b"]],
          "async map": all,
          "async crawl": crawled,
          "async batch": batched,
          "async watched": crawled,
        });
      } finally {
        await site.close();
      }
    },
    TIMEOUT_MS,
  );
});
