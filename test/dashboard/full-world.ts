import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Resources } from "../../packages/kit/src/resources.ts";
import { call, done, startAgentModel } from "../agent-model.ts";
import { AgentClient } from "../agents.ts";
import { MonitorClient } from "../monitors.ts";
import { makeTeam, operate, type TestTeam } from "../operator.ts";
import { RunClient } from "../runs.ts";
import { htmlPage, openSite, type Site } from "../site.ts";
import type { World } from "../world.ts";
import { type Desk, openDesk } from "./pages.ts";

/** Names as strangers have them: long, from right to left, with markup. */
const TEAMS = [
  "Research",
  "Marketing of the northern branch and all its subsidiaries",
  "مكتبة برغامون",
  "<b>Bold & Sons</b>",
];
const PAGES = 12;

/** A screen, or something on it that is opened by its id. */
export interface Shown {
  readonly name: string;
  readonly path: string;
}

/** A service with something of everything that its screens show, and what is opened on them by an id. */
export interface FullDesk extends Desk {
  readonly opened: readonly Shown[];
}

/** @param checks of its monitor; each takes a tenth of a second. */
export async function openFullDesk(checks = 20): Promise<FullDesk> {
  const resources = new Resources();
  const shop = resources.add(await openSite(), (site) => site.close());
  const model = resources.add(await startAgentModel(), (opened) => opened.close());
  const folder = resources.add(await mkdtemp(join(tmpdir(), "full-world-")), (name) =>
    rm(name, { recursive: true, force: true }),
  );
  const file = join(folder, "providers.json");
  await writeFile(file, JSON.stringify({ providers: [providerOf(shop)] }));
  const settings = {
    PROVIDERS_FILE: file,
    HOST_CONCURRENCY: "50",
    WEBHOOK_RETRY_SECONDS: "1",
    ...model.settings,
  };
  const desk = resources.add(await openDesk(settings), (opened) => opened.close());
  model.play("cheapest", [
    call("scrape", { url: desk.world.site.url("/page/1") }),
    done({ page: "Page 1" }, { sources: [desk.world.site.url("/page/1")] }),
  ]);
  return { ...desk, opened: await fill(desk.world, checks), close: () => resources.close() };
}

function providerOf(shop: Site): object {
  shop.page("/say", (_request, response) => response.end('{"said":true}'));
  const options = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
  const example = { word: "a" };
  const capability = { description: "Says a word.", options, creditsCost: 3, example };
  return {
    id: "shop",
    name: "Shop",
    kind: "http",
    description: "Says words, and fails at times.",
    base: shop.url(""),
    capabilities: [
      { id: "say", ...capability, request: { path: "/say" } },
      { id: "broken", ...capability, readOnly: true, request: { path: "/broken" } },
    ],
  };
}

/** Pages that answer, change, wait and fail. */
function pagesOf({ site }: World) {
  const links = Array.from({ length: PAGES }, (_, at) => `<a href="/page/${at}">Page ${at}</a>`).join(" ");
  const start = site.page(
    "/",
    htmlPage(`<h1>A site</h1><p>With ${PAGES} pages.</p>${links}<a href="/missing">Gone</a>`),
  );
  const pages = Array.from({ length: PAGES }, (_, at) =>
    site.page(`/page/${at}`, htmlPage(`<h1>Page ${at}</h1><p>${"Words of this page. ".repeat(20)}</p>`)),
  );
  let visits = 0;
  const changing = site.page("/price", (_request, response) => {
    visits += 1;
    const price = `<h1>Linen apron</h1><p>Price: ${30 + Math.floor(visits / 3)} euros.</p>`;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(htmlPage(`${price}<p>${"It is made of linen. ".repeat(10)}</p>`));
  });
  const held = site.page("/held", () => undefined);
  const broken = site.page("/broken", (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(500).end("broken");
  });
  return { start, pages, changing, held, broken };
}

type Pages = ReturnType<typeof pagesOf>;

async function fill(world: World, checks: number): Promise<readonly Shown[]> {
  const pages = pagesOf(world);
  const teams = await Promise.all(
    TEAMS.map((name) => makeTeam(world, { name, credits: 5000, flags: { providerTools: true } })),
  );
  const [first, second] = teams;
  if (!first || !second) throw new Error("There is no team.");
  for (const [at, team] of teams.entries())
    await scrapeSome(team, [pages.start, ...pages.pages].slice(0, 4 + 3 * at));
  await failInAllWays(world, first, pages);
  await fillKeys(world, first);
  const [jobs, monitor, session] = [
    await fillJobs(world, { first, second, pages }),
    await fillMonitors(world, { team: first, pages, checks }),
    await fillSessions(world, first, pages),
  ];
  await operate(world, "POST backups", {});
  const { data } = (await operate(world, "GET requests?limit=200")).body;
  const idOf = (status: string) =>
    String(data.find((request) => request["status"] === status && request["kind"] === "scrape")?.["id"]);
  return [
    ...jobs,
    ...monitor,
    ...session,
    { name: "A request", path: `/dashboard/requests?id=${idOf("completed")}` },
    { name: "A failure", path: `/dashboard/requests?id=${idOf("failed")}` },
    { name: "An answer", path: `/dashboard/response?id=${idOf("completed")}` },
  ];
}

async function scrapeSome(team: TestTeam, urls: readonly string[]): Promise<void> {
  for (const url of urls) await team.scrape({ url, formats: ["markdown", "links", "html"] });
  const [first = ""] = urls;
  await team.scrape({ url: first, formats: ["markdown"] });
  await team.scrape({ url: first, formats: ["markdown", "product"] });
}

/** One of every kind that a caller meets. */
async function failInAllWays(world: World, team: TestTeam, { start, held, broken }: Pages): Promise<void> {
  const poor = await makeTeam(world, { name: "Out of credits", credits: 0 });
  const key = await operate(world, `POST teams/${team.teamId}/keys`, {
    name: "maps alone",
    restrictions: { endpoints: ["map"] },
  });
  await Promise.all([
    team.scrape({ url: "http://gone.invalid/", timeout: 2000 }),
    team.scrape({ url: "http://10.1.2.3/private" }),
    team.scrape({ url: "http://127.0.0.1:1/" }),
    team.scrape({ url: start.replace("http:", "https:") }),
    team.scrape({ url: held, timeout: 1000 }),
    team.scrape({ url: broken }),
    team.scrape({ url: `${start}missing` }),
    team.scrape({ formats: ["markdown"] }),
    poor.scrape({ url: start, formats: ["markdown"] }),
    world.scrape({ url: start }, { authorization: `Bearer ${key.body.apiKey}` }),
    world.scrape({ url: start }, { authorization: "Bearer fc-00000000000000000000000000000000" }),
  ]);
  const runs = new RunClient(world, team.headers);
  await runs.ask("POST /v2/map", { url: start });
  for (const capability of ["say", "broken"])
    await world.scrape(
      { alexandria: { provider: "shop", capability, options: { word: "a" } } },
      team.headers,
    );
}

async function fillKeys(world: World, { teamId }: TestTeam): Promise<void> {
  const restrictions = { endpoints: ["scrape"], requestsPerMinute: 60 };
  await operate(world, `POST teams/${teamId}/keys`, { name: "import of the night", restrictions });
  const { body } = await operate(world, `POST teams/${teamId}/keys`, { name: "revoked" });
  await operate(world, `DELETE keys/${body.keyId}`);
  await operate(world, `POST teams/${teamId}/keys`, { name: "spent", restrictions: { credits: 0 } });
  await operate(world, `PATCH teams/${teamId}`, { limits: { concurrency: 3 } });
}

interface JobFilling {
  readonly first: TestTeam;
  readonly second: TestTeam;
  readonly pages: Pages;
}

/** Completed, partly failed, cancelled, running; a webhook that nobody takes; agents that succeed and fail. */
async function fillJobs(world: World, { first, second, pages }: JobFilling): Promise<readonly Shown[]> {
  const [runs, others, agents] = [
    new RunClient(world, first.headers),
    new RunClient(world, second.headers),
    new AgentClient(world, first.headers),
  ];
  const { body: crawl } = await runs.ask("POST /v2/crawl", { url: pages.start, limit: PAGES + 2 });
  await runs.ended(`/v2/crawl/${crawl.id}`);
  const webhook = { url: "http://127.0.0.1:1/hook" };
  const batch = await runs.batch({ urls: [...pages.pages, "http://gone.invalid/", pages.broken], webhook });
  await runs.endedBatch(batch);
  const cancelled = await others.batch({ urls: [pages.held, ...pages.pages] });
  await others.ask(`DELETE /v2/batch/scrape/${cancelled}`);
  const running = await others.batch({ urls: [...pages.pages, pages.held], timeout: 300_000 });
  const agent = await agents.run({ prompt: "Which page is the cheapest?", urls: [pages.start] });
  await agents.run({ prompt: "What nobody knows", urls: [pages.start] });
  const names = {
    "A crawl": crawl.id,
    "A batch": batch,
    "A cancelled batch": cancelled,
    "A running batch": running,
    "An agent": agent.jobId,
  };
  return Object.entries(names).map(([name, id]) => ({ name, path: `/dashboard/jobs?id=${id}` }));
}

interface MonitorFilling {
  readonly team: TestTeam;
  readonly pages: Pages;
  readonly checks: number;
}

async function fillMonitors(
  world: World,
  { team, pages, checks }: MonitorFilling,
): Promise<readonly Shown[]> {
  const monitors = new MonitorClient(new RunClient(world, team.headers));
  const scrapeOptions = { formats: ["markdown"] };
  const id = await monitors.create({
    name: "Prices of a shop with a name that is rather long, as names are",
    schedule: { text: "weekly" },
    targets: [{ type: "scrape", urls: [pages.changing, ...pages.pages.slice(0, 2)], scrapeOptions }],
  });
  let check = "";
  for (let at = 0; at < checks; at += 1) check = (await monitors.check(id)).id;
  const paused = await monitors.create({
    name: "paused",
    targets: [{ type: "scrape", urls: [pages.changing] }],
  });
  await operate(world, `PATCH monitors/${paused}`, { status: "paused" });
  const path = `/dashboard/monitors?id=${id}`;
  return [
    { name: "A monitor", path },
    { name: "A check", path: `${path}&check=${check}` },
  ];
}

/** One that is live and one that has ended, and a profile that it kept. */
async function fillSessions(world: World, team: TestTeam, { pages }: Pages): Promise<readonly Shown[]> {
  const [url = ""] = pages;
  const runs = new RunClient(world, team.headers);
  const profile = { name: "shop", saveChanges: true };
  const actions = [{ type: "executeJavascript", script: 'localStorage.setItem("basket", "linen")' }];
  await team.scrape({ url, profile, actions, formats: ["markdown", "screenshot"] });
  const sessions: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    const { body } = await team.scrape({ url, formats: ["markdown"] });
    const answer = await runs.ask(`POST /v2/scrape/${body.data.metadata.scrapeId}/interact`, {
      code: "1",
    });
    sessions.push((answer.body as unknown as { readonly sessionId: string }).sessionId);
  }
  const [ended, live] = sessions;
  await operate(world, `DELETE sessions/${ended}`);
  return [{ name: "A session", path: `/dashboard/sessions?id=${live}` }];
}
