import { statSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { bytes, count } from "../../packages/dashboard/src/format/numbers.ts";
import { operate } from "../operator.ts";
import type { World } from "../world.ts";
import type { FullDesk } from "./full-world.ts";
import { settle } from "./pages.ts";

/** A screen looks again within half a minute, and what happened is written within a second: later they agree or never will. */
const PATIENCE_MS = 5000;

/** Numbers as a screen writes them, in its order. */
type Numbers = readonly string[];

/** What of a screen is read, and what it has to equal. */
interface Question {
  readonly name: string;
  /** Of the screen, or the name of something that the world opens by its id. */
  readonly path: string;
  readonly shown: (page: Page) => Promise<Numbers>;
  readonly source: (source: Source) => Promise<Numbers>;
}

/** What the service keeps, read beside the dashboard. */
class Source {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** The values of the rows of a statement, in their order. */
  async rows(statement: string, write: (value: number) => string = count): Promise<Numbers> {
    const { app } = this.#world;
    await app.credits.flush();
    const { database } = app.families.jobs.stores.persistent;
    const rows = await database.prepared<{ readonly value: number | string | null }>(statement).all();
    return rows.map(({ value }) => write(Number(value ?? 0)));
  }

  /** The sum of figures of /metrics. */
  async metrics(name: RegExp): Promise<number> {
    const text = await (await fetch(`${this.#world.baseUrl}/metrics`)).text();
    const lines = text.split("\n").filter((line) => name.test(line));
    return lines.reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  }

  async list(line: string) {
    return (await operate(this.#world, line)).body.data;
  }

  sizeOf(path: string): number {
    return statSync(join(this.#world.dataDir, path)).size;
  }
}

const firstNumber = (text: string) => /\d[\d,]*/.exec(text)?.[0] ?? text.trim();

const figure = (label: string) => async (page: Page) => [
  await page.locator(".figures > div", { hasText: label }).first().locator("b").innerText(),
];

/** The numbers of a column, from the top. */
const column =
  (table: string, heading: string, read = firstNumber) =>
  async (page: Page) => {
    const found = page.getByRole("table", { name: table, exact: true });
    const heads = await found.getByRole("columnheader").allInnerTexts();
    const at = heads.findIndex((text) => text.trim() === heading);
    return (await found.locator(`tbody tr td:nth-child(${at + 1})`).allInnerTexts()).map(read);
  };

const rowsOf = (table: string) => async (page: Page) => [
  count(await page.getByRole("table", { name: table, exact: true }).locator("tbody tr").count()),
];

/** Beside the heading of a screen. */
const beside = async (page: Page) => [
  firstNumber(await page.locator("header.page > :nth-child(2)").innerText()),
];

const USED = "SELECT sum(amount) AS value FROM ledger_entries WHERE to_account = 'used'";
const DONE = "SELECT count(*) AS value FROM scrapes WHERE kind <> 'refused'";
const FAILED = `${DONE} AND status = 'failed'`;
/** What the ledger has of a job: entries of its pages, or of its steps. */
const OF_JOB = `SELECT (SELECT sum(amount) FROM ledger_entries WHERE to_account = 'used' AND
  (id LIKE job_runs.id || '/%' OR id IN (SELECT id FROM scrapes WHERE parent_id = job_runs.id))) AS value
  FROM job_runs ORDER BY created_at DESC, id DESC`;
const CHECKS = "FROM monitor_checks ORDER BY created_at DESC, id DESC";

export const QUESTIONS: readonly Question[] = [
  {
    name: "pages are those of the log",
    path: "",
    shown: figure("Pages,"),
    source: (from) => from.rows(DONE),
  },
  {
    name: "credits are those of the ledger",
    path: "",
    shown: figure("Credits used"),
    source: (from) => from.rows(USED),
  },
  {
    name: "live sessions are those that are active",
    path: "",
    shown: async (page) => [
      await page.locator(".row", { hasText: "Live sessions" }).locator(".num").innerText(),
    ],
    source: (from) => from.rows("SELECT count(*) AS value FROM interact_sessions WHERE state = 'active'"),
  },
  {
    name: "all are counted",
    path: "/requests",
    shown: beside,
    source: (from) => from.rows("SELECT count(*) AS value FROM scrapes"),
  },
  {
    name: "failed and refused are counted",
    path: "/requests",
    shown: async (page) => [firstNumber(await page.locator(".failures summary b").innerText())],
    source: (from) => from.rows("SELECT count(*) AS value FROM scrapes WHERE status = 'failed'"),
  },
  {
    name: "running jobs are counted",
    path: "/jobs",
    shown: beside,
    source: (from) => from.rows("SELECT count(*) AS value FROM job_runs WHERE state = 'scraping'"),
  },
  {
    name: "credits of jobs are those of the ledger",
    path: "/jobs",
    shown: column("Jobs", "Credits"),
    source: (from) => from.rows(OF_JOB),
  },
  {
    name: "failed pages of jobs have an error each",
    path: "/jobs",
    shown: column("Jobs", "Failed"),
    source: (from) =>
      from.rows(`SELECT (SELECT count(*) FROM job_errors WHERE run_id = job_runs.id AND is_robots = 0) AS value
        FROM job_runs ORDER BY created_at DESC, id DESC`),
  },
  {
    name: "the addresses of a crawl have an outcome each",
    path: "A crawl",
    shown: async (page) => {
      const parts = await column("Outcomes", "Addresses")(page);
      return [count(parts.reduce((sum, part) => sum + Number(part), 0))];
    },
    source: (from) => from.rows("SELECT count(*) AS value FROM crawl_urls"),
  },
  {
    name: "pages that failed have a cause each",
    path: "A batch",
    shown: column("Causes", "Pages"),
    source: async (from) => from.rows("SELECT count(*) AS value FROM job_errors GROUP BY code"),
  },
  {
    name: "checks are counted",
    path: "A monitor",
    shown: rowsOf("Checks"),
    source: (from) => from.rows("SELECT count(*) AS value FROM monitor_checks"),
  },
  {
    name: "credits of checks are those of the ledger",
    path: "A monitor",
    shown: column("Checks", "Credits"),
    source: (from) =>
      from.rows(`SELECT (SELECT sum(amount) FROM ledger_entries WHERE id IN
        (SELECT id FROM scrapes WHERE parent_id = monitor_checks.id)) AS value ${CHECKS}`),
  },
  {
    name: "changed pages of checks are those that are stored",
    path: "A monitor",
    shown: column("Checks", "Pages", (text) => (text.includes("changed") ? firstNumber(text) : "0")),
    source: (from) =>
      from.rows(`SELECT (SELECT count(*) FROM monitor_pages
        WHERE check_id = monitor_checks.id AND status = 'changed') AS value ${CHECKS}`),
  },
  {
    name: "live ones are counted",
    path: "/sessions",
    shown: beside,
    source: (from) => from.rows("SELECT count(*) AS value FROM interact_sessions WHERE state = 'active'"),
  },
  {
    name: "calls are counted",
    path: "/tools",
    shown: rowsOf("Calls"),
    source: (from) => from.rows("SELECT count(*) AS value FROM tool_requests"),
  },
  {
    name: "credits are those of the ledger",
    path: "/usage",
    shown: figure("Credits"),
    source: (from) => from.rows(USED),
  },
  {
    name: "pages are those of the log",
    path: "/usage",
    shown: figure("Pages"),
    source: (from) => from.rows(DONE),
  },
  {
    name: "credits of teams are those of the ledger",
    path: "/usage",
    shown: column("Breakdown", "Credits"),
    source: (from) => from.rows(`${USED} GROUP BY team_id ORDER BY 1 DESC`),
  },
  {
    name: "tokens are those of /metrics",
    path: "/usage",
    shown: figure("Model tokens"),
    source: async (from) => [count(await from.metrics(/^pergamon_model_tokens_total/))],
  },
  {
    name: "errors are those of the log",
    path: "/usage",
    shown: async (page) => {
      const times = await page
        .getByRole("region", { name: "Errors by code" })
        .locator("td.num")
        .allInnerTexts();
      return [count(times.reduce((sum, text) => sum + Number(text), 0))];
    },
    source: (from) => from.rows(FAILED),
  },
  {
    name: "credits of keys are those of the ledger",
    path: "/keys",
    shown: column("Keys", "Used this month"),
    source: (from) =>
      from.rows(`SELECT (SELECT sum(amount) FROM ledger_entries WHERE key_id = api_keys.id AND to_account = 'used') AS value
        FROM api_keys ORDER BY id`),
  },
  {
    name: "credits that are used are those of the ledger",
    path: "/teams",
    shown: column("Teams", "Used this month"),
    source: (from) =>
      from.rows(`SELECT (SELECT sum(amount) FROM ledger_entries WHERE team_id = teams.id AND to_account = 'used') AS value
        FROM teams ORDER BY created_at, id`),
  },
  {
    name: "credits that are left are those of the ledger",
    path: "/teams",
    shown: column("Teams", "Credits left"),
    source: async (from) => [
      "no limit",
      ...(await from.rows(`SELECT (SELECT sum(CASE WHEN to_account = 'used' THEN -amount ELSE amount END)
        FROM ledger_entries WHERE team_id = teams.id) - (SELECT coalesce(sum(amount), 0)
        FROM ledger_holds WHERE team_id = teams.id) AS value FROM teams WHERE is_limited = 1 ORDER BY created_at, id`)),
    ],
  },
  {
    name: "what is left after the newest entry of the ledger is their sum",
    path: "/teams",
    async shown(page) {
      await page.getByRole("button", { name: "Ledger of Research" }).click();
      await settle(page);
      return (await column("Ledger", "Balance")(page)).slice(0, 1);
    },
    source: (from) =>
      from.rows(`SELECT sum(CASE WHEN to_account = 'used' THEN -amount ELSE amount END) AS value
        FROM ledger_entries WHERE team_id = (SELECT id FROM teams WHERE name = 'Research')`),
  },
  {
    name: "sizes are those that are stored",
    path: "/profiles",
    shown: column("Profiles", "Size", (text) => text),
    source: (from) => from.rows("SELECT size_bytes AS value FROM profiles ORDER BY name", bytes),
  },
  {
    name: "versions are counted",
    path: "/cache",
    shown: beside,
    source: (from) => from.rows("SELECT count(*) AS value FROM captures"),
  },
  {
    name: "each version is listed",
    path: "/cache",
    shown: rowsOf("Cached pages"),
    source: (from) => from.rows("SELECT count(*) AS value FROM captures"),
  },
  {
    name: "every change has an entry",
    path: "/audit",
    shown: rowsOf("Changes"),
    source: (from) =>
      from.rows(`SELECT count(*) AS value FROM audit_events WHERE substr(event, 88, 7) <> 'scrape"'
        AND substr(event, 88, 4) <> 'map"' AND substr(event, 88, 7) <> 'search"' AND substr(event, 88, 5) <> 'tool"'`),
  },
  {
    name: "sizes are those of the files",
    path: "/backups",
    shown: column("Backups", "Size", (text) => text),
    source: async (from) => {
      const { backups } = (await from.list("GET backups")) as unknown as {
        readonly backups: readonly { readonly file: string }[];
      };
      return backups.map(({ file }) => bytes(from.sizeOf(join("backups", file))));
    },
  },
];

/** Screens whose links lead from a number to the list that it counts. */
const COUNTED: readonly string[] = [
  "",
  "/requests",
  ...["team", "key", "site", "format", "way", "kind"].map((by) => `/usage?by=${by}`),
];

/** @returns what a screen says otherwise than its source. */
export async function askNumbers(
  desk: FullDesk,
  page: Page,
  questions = QUESTIONS,
): Promise<readonly string[]> {
  const source = new Source(desk.world);
  const faults: string[] = [];
  for (const question of questions) {
    const { name, path } = question;
    const opened = desk.opened.find((one) => one.name === path)?.path ?? `/dashboard${path}`;
    const difference = await patiently(async () => {
      await page.goto(desk.world.baseUrl + opened);
      await settle(page);
      const [shown, kept] = [await question.shown(page), await question.source(source)];
      return shown.join(" ") === kept.join(" ")
        ? undefined
        : `shows ${shown.join(" ")} for ${kept.join(" ")}`;
    });
    if (difference !== undefined) faults.push(`${path === "" ? "Overview" : path}: ${name}: ${difference}`);
  }
  return faults;
}

/** What is counted a moment later is asked again. */
async function patiently(compare: () => Promise<string | undefined>): Promise<string | undefined> {
  const startedAtMs = Date.now();
  for (;;) {
    const difference = await compare();
    if (difference === undefined || Date.now() - startedAtMs > PATIENCE_MS) return difference;
  }
}

/** Every number that leads to a list: how many the list has. */
const LEADING = `[...document.querySelectorAll('main a[href^="/dashboard/requests?"]')].flatMap((link) => {
  if (new URL(link.href).searchParams.has("id")) return [];
  const own = /^\\d[\\d,]*(?= )/.exec(link.innerText)?.[0];
  const told = own ?? link.closest("tr")?.querySelector("td.num")?.innerText;
  return told === undefined ? [] : [{ path: link.getAttribute("href"), told: told.trim() }];
})`;

/** Longer lists are not counted to their end. */
const MAX_COUNTED = 10_000;

/** @returns numbers whose link leads to a list of another length. */
export async function followNumbers(
  { world: { baseUrl } }: Pick<FullDesk, "world">,
  page: Page,
  paths = COUNTED,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const path of paths) {
    await page.goto(`${baseUrl}/dashboard${path}`);
    await settle(page);
    for (const folded of await page.locator("main details.failures > summary").all()) await folded.click();
    const links = (await page.evaluate(LEADING)) as readonly {
      readonly path: string;
      readonly told: string;
    }[];
    if (links.length === 0) faults.push(`/dashboard${path} leads to no list`);
    for (const link of links) {
      const listed = await lengthOf(page, baseUrl + link.path);
      const told = Number(link.told.replaceAll(",", ""));
      const wanted = told < MAX_COUNTED ? count(told) : `${count(MAX_COUNTED)}+`;
      if (listed !== wanted)
        faults.push(`/dashboard${path} says ${link.told}, and ${link.path} has ${listed}`);
    }
  }
  return faults;
}

async function lengthOf(page: Page, url: string): Promise<string> {
  await page.goto(url);
  await settle(page);
  const total = page.locator("header.page > .dim");
  await total.waitFor();
  return (await total.innerText()).split(" ")[0] ?? "";
}
