import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import { type MonitorData, MonitorClient, type MonitorPage } from "../monitors.ts";
import { Random } from "../random.ts";
import { openReceiver, type Receiver } from "../receiver.ts";
import { RunClient } from "../runs.ts";
import { htmlPage, openSite, type Site } from "../site.ts";
import { makeTeam, type SoakService, startSoakService } from "../service-process.ts";

export interface CheckSoakOptions {
  /** Ends without a warning, each in the middle of a check and followed by a new start. */
  readonly kills: number;
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
  readonly seed: number;
}

export interface CheckSoakReport {
  readonly checks: number;
  readonly pages: number;
  readonly problems: readonly string[];
}

const PAGES = 12;
/** Each page takes as long, so that a check lasts for some kills. */
const ANSWER_MS = 120;
/** A kill comes at any time from the start of a check to this. */
const MAX_WORK_MS = 1200;
const MAX_KILLS_OF_CHECK = 3;
const CREDITS = 1_000_000;
const TOLD_LIMIT_MS = 60_000;

/** A page of the site: which text it has, and what was kept of it. */
interface Watched {
  readonly url: string;
  version: number;
  isGone: boolean;
  /** Of the last check that found it. */
  seen: { readonly version: number; readonly isGone: boolean; readonly scrapeId: string | null } | undefined;
}

/** Checks pages that change while the service is killed, and compares every page, difference, charge and webhook. */
export async function killChecks(options: CheckSoakOptions): Promise<CheckSoakReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "check-soak-"));
  const site = await openSite();
  const receiver = await openReceiver();
  try {
    const settings = { HOST_CONCURRENCY: "3", WEBHOOK_RETRY_SECONDS: "1,1,1,1,1,1,1,1" };
    const start = () => startSoakService({ command: options.command, dataDir, settings });
    return await new CheckSoak({ ...options, site, receiver, start, dataDir }).run();
  } finally {
    await receiver.close();
    await site.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface SoakParts extends CheckSoakOptions {
  readonly site: Site;
  readonly receiver: Receiver;
  readonly dataDir: string;
  readonly start: () => Promise<SoakService>;
}

class CheckSoak {
  readonly #parts: SoakParts;
  readonly #random: Random;
  readonly #problems: string[] = [];
  readonly #pages: readonly Watched[];
  readonly #checks: MonitorData[] = [];
  #service: SoakService | undefined;
  #apiKey = "";
  #kills = 0;

  constructor(parts: SoakParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed);
    this.#pages = Array.from({ length: PAGES }, (_, index) => this.#watched(index));
  }

  async run(): Promise<CheckSoakReport> {
    const service = (this.#service = await this.#parts.start());
    try {
      const { teamId, apiKey } = await makeTeam(service.url, { name: "checks", credits: CREDITS });
      this.#apiKey = apiKey;
      const targets = [{ type: "scrape", urls: this.#pages.map(({ url }) => url) }];
      const id = await this.#client().create({ targets, webhook: { url: this.#parts.receiver.url } });
      while (this.#kills < this.#parts.kills) await this.#check(id);
      await this.#compareWebhooks();
      await this.#service.stop();
      await this.#compareCharges(teamId);
    } finally {
      await this.#service.kill();
    }
    return { checks: this.#checks.length, pages: this.#checks.length * PAGES, problems: this.#problems };
  }

  #client(): MonitorClient {
    const headers = { authorization: `Bearer ${this.#apiKey}` };
    return new MonitorClient(new RunClient({ baseUrl: this.#service?.url ?? "" }, headers));
  }

  #watched(index: number): Watched {
    const page: Watched = { url: "", version: 1, isGone: false, seen: undefined };
    const url = this.#parts.site.page(`/page/${index}`, (_request, response) => {
      const { version, isGone } = page;
      setTimeout(() => {
        response.writeHead(isGone ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
        response.end(htmlPage(`<main><h1>Page ${index}</h1><p>It is version ${version}.</p></main>`));
      }, ANSWER_MS).unref();
    });
    return Object.assign(page, { url });
  }

  /** Changes pages, checks them while the service is killed, and compares what the check says. */
  async #check(monitorId: string): Promise<void> {
    for (const page of this.#checks.length > 0 ? this.#pages : []) {
      if (this.#random.isOneOf(3)) page.version += 1;
      if (this.#random.isOneOf(8)) page.isGone = !page.isGone;
    }
    const { status, body } = await this.#client().ask(`POST /v2/monitor/${monitorId}/run`);
    if (status !== 200) throw new Error(`The run was answered ${status}: ${body.error}`);
    const kills = 1 + this.#random.below(MAX_KILLS_OF_CHECK);
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(this.#random.below(MAX_WORK_MS));
      await this.#service?.kill();
      this.#kills += 1;
      this.#service = await this.#parts.start();
    }
    const check = await this.#client().ended(monitorId, body.id);
    this.#checks.push(check);
    this.#compare(check);
  }

  #compare(check: MonitorData): void {
    const wanted = this.#pages.map(wantedOf);
    const found = new Map(check.pages.map((page) => [page.url, page]));
    if (check.status !== "completed") this.#complain(check, `it is ${check.status}: ${check.error ?? ""}`);
    if (check.pages.length !== PAGES || found.size !== PAGES)
      this.#complain(check, `it has ${check.pages.length} rows of ${found.size} pages`);
    for (const [index, page] of this.#pages.entries()) {
      const row = found.get(page.url);
      const problem = row ? differenceOf(page, row, wanted[index] ?? "") : "it is missing";
      if (problem !== undefined) this.#complain(check, `${page.url}: ${problem}`);
      const { version, isGone } = page;
      page.seen = { version, isGone, scrapeId: row?.currentScrapeId ?? null };
    }
    for (const status of ["same", "new", "changed", "removed"]) {
      const count = wanted.filter((one) => one === status).length;
      const told = check.summary[status] ?? 0;
      if (told !== count) this.#complain(check, `its summary says ${told} ${status} instead of ${count}`);
    }
  }

  async #compareWebhooks(): Promise<void> {
    const isTold = () => this.#checks.every((check) => this.#lettersOf(check).size === PAGES + 1);
    for (const untilMs = performance.now() + TOLD_LIMIT_MS; !isTold() && performance.now() < untilMs;)
      await sleep(100);
    for (const check of this.#checks) {
      const letters = [...this.#lettersOf(check).values()];
      const told = letters.flatMap(({ data }) => data as unknown as readonly (MonitorPage | MonitorData)[]);
      const pages = told.flatMap((one) => ("url" in one ? [`${one.url} ${one.status}`] : []));
      const wanted = check.pages.map(({ url, status }) => `${url} ${status}`);
      if (pages.toSorted().join() !== wanted.toSorted().join() || letters.length !== PAGES + 1)
        this.#complain(check, `its ${letters.length} webhooks told ${pages.join(", ")}`);
    }
  }

  /** What the receiver got about a check. After a kill it may get the same again, under the same id. */
  #lettersOf({ id }: MonitorData) {
    const letters = this.#parts.receiver.delivered.filter((letter) => letter.id === id);
    return new Map(letters.map((letter) => [letter.webhookId, letter]));
  }

  async #compareCharges(teamId: string): Promise<void> {
    const database = await openDatabase(`sqlite:${join(this.#parts.dataDir, "pergamon.db")}`);
    const row = await database
      .prepared<{ charged: number | null }>(
        `SELECT sum(amount) AS charged FROM ledger_entries WHERE to_account = 'used' AND team_id = ?`,
      )
      .get(teamId);
    await database.close();
    const charged = row?.charged ?? 0;
    const told = this.#checks.reduce((sum, { actualCredits }) => sum + actualCredits, 0);
    const wanted = this.#checks.length * PAGES;
    if (charged !== wanted || told !== wanted)
      this.#problems.push(`${wanted} pages: ${charged} credits were charged, ${told} are told`);
  }

  #complain({ id }: MonitorData, problem: string): void {
    this.#problems.push(`check ${id}: ${problem}`);
  }
}

function wantedOf({ version, isGone, seen }: Watched): string {
  if (isGone) return seen?.isGone === false ? "removed" : seen ? "same" : "error";
  if (!seen || seen.isGone) return "new";
  return seen.version === version ? "same" : "changed";
}

/** @returns what is wrong with a page of a check. */
function differenceOf({ version, seen }: Watched, row: MonitorPage, wanted: string): string | undefined {
  if (row.status !== wanted) return `it is ${row.status} instead of ${wanted}`;
  if (wanted === "same" || wanted === "changed") {
    const isFollowing = row.previousScrapeId === (seen?.scrapeId ?? null);
    if (!isFollowing && !seen?.isGone) return "it was compared with another check than the one before";
  }
  const text = row.diff?.text ?? "";
  if (wanted !== "changed") return row.diff === null ? undefined : `it has a difference: ${text}`;
  const [gone, here] = [`-It is version ${seen?.version}.`, `+It is version ${version}.`];
  return text.includes(gone) && text.includes(here) ? undefined : `its difference is ${text}`;
}
