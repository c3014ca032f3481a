import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { RunClient } from "../runs.ts";
import { openTrapSite, type TrapSite } from "../trap-site.ts";
import { makeTeam, type SoakService, startSoakService } from "../service-process.ts";
import { openReceiver, type Receiver } from "./webhook-receiver.ts";

export interface CrawlSoakOptions {
  /** Ends without a warning, each followed by a new start. */
  readonly kills: number;
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
  /** Of the largest part of the site. */
  readonly pages: number;
  /** How long a service works between two kills at least, from when it is ready. */
  readonly workMs?: number;
}

export interface CrawlSoakReport {
  readonly crawls: number;
  readonly documents: number;
  /** From the start of a process until the crawl can be asked about. */
  readonly slowestStatusMs: number;
  readonly problems: readonly string[];
}

const WORK_MS = 3000;
const AT_ONCE = 12;
/** Each page takes as long, so that a crawl lasts for a few kills. */
const ANSWER_MS = 150;
const CREDITS = 10_000_000;

/** Crawls a site full of traps again and again while the service is killed, and compares what came of each. */
export async function killCrawls(options: CrawlSoakOptions): Promise<CrawlSoakReport> {
  const { kills, command, pages, workMs = WORK_MS } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "crawl-soak-"));
  const site = await openTrapSite({ pages, answerMs: ANSWER_MS });
  const receiver = await openReceiver();
  try {
    const settings = {
      HOST_CONCURRENCY: "50",
      TEAM_CONCURRENCY: String(AT_ONCE),
      WEBHOOK_RETRY_SECONDS: "1,1,1,1,1,1",
    };
    const start = () => startSoakService({ command, dataDir, settings });
    return await new Soak({ site, receiver, start, kills, workMs }).run();
  } finally {
    await receiver.close();
    await site.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface SoakParts {
  readonly site: TrapSite;
  readonly receiver: Receiver;
  readonly start: () => Promise<SoakService>;
  readonly kills: number;
  readonly workMs: number;
}

interface Status {
  readonly status: string;
  readonly creditsUsed: number;
  readonly completed: number;
  readonly next?: string;
  readonly data: readonly { readonly metadata: { readonly url: string; readonly scrapeId: string } }[];
}

interface CrawlError {
  readonly url: string;
  readonly code?: string;
  readonly error: string;
}

class Soak {
  readonly #parts: SoakParts;
  readonly #problems: string[] = [];
  #service: SoakService | undefined;
  #apiKey = "";
  #kills = 0;
  #documents = 0;
  #slowestStatusMs = 0;

  constructor(parts: SoakParts) {
    this.#parts = parts;
  }

  async run(): Promise<CrawlSoakReport> {
    this.#service = await this.#parts.start();
    const team = await makeTeam(this.#service.url, { name: "crawls", credits: CREDITS });
    this.#apiKey = team.apiKey;
    let crawls = 0;
    while (this.#kills < this.#parts.kills) {
      await this.#crawl();
      crawls += 1;
    }
    await this.#service.stop();
    return {
      crawls,
      documents: this.#documents,
      slowestStatusMs: this.#slowestStatusMs,
      problems: this.#problems,
    };
  }

  async #crawl(): Promise<void> {
    const { site, receiver } = this.#parts;
    const body = { url: site.url, webhook: receiver.url, scrapeOptions: { maxAge: 0 } };
    const before = await this.#creditsLeft();
    const { id } = await this.#ask<{ readonly id: string }>("POST", "/v2/crawl", body);
    for (let made = 0; ;) {
      await sleep(this.#parts.workMs);
      const { status, completed } = await this.#ask<Status>("GET", `/v2/crawl/${id}?limit=1`);
      if (status !== "scraping") break;
      // On a machine that is busy otherwise, pages would end as errors: each death counts from the third on.
      if (completed < made + AT_ONCE) continue;
      made = completed;
      await this.#kill(id);
    }
    await this.#compare(id, before);
  }

  async #kill(id: string): Promise<void> {
    if (this.#kills >= this.#parts.kills) return;
    this.#kills += 1;
    await this.#service?.kill();
    this.#service = await this.#parts.start();
    const readyMs = performance.now();
    await this.#ask<Status>("GET", `/v2/crawl/${id}?limit=1`);
    this.#slowestStatusMs = Math.max(this.#slowestStatusMs, performance.now() - readyMs);
  }

  async #compare(id: string, before: number): Promise<void> {
    const { site, receiver } = this.#parts;
    // Its receipt adds up, too.
    const world = { baseUrl: this.#service?.url ?? "" };
    const runs = new RunClient(world, { authorization: `Bearer ${this.#apiKey}` });
    const { status, creditsUsed } = await runs.ended(`/v2/crawl/${id}`);
    if (status !== "completed") this.#problems.push(`A crawl ended as ${status}.`);
    const documents = await this.#documentsOf(`/v2/crawl/${id}?limit=1000`);
    this.#documents += documents.length;
    const { origin } = new URL(site.url);
    const paths = documents.map(({ metadata }) =>
      metadata.url.replace(origin, "").replace(/^\/state\/cart.*/, "/state/cart"),
    );
    const wanted = [...site.expected, "/state/cart"];
    const missing = wanted.filter((path) => !paths.includes(path));
    this.#tell("missing", await this.#explained(missing, id));
    this.#tell(
      "too many",
      paths.filter((path) => !wanted.includes(path)),
    );
    this.#tell(
      "twice",
      paths.filter((path, index) => paths.indexOf(path) !== index),
    );
    const spent = before - (await this.#creditsLeft());
    if (spent !== documents.length || creditsUsed !== spent)
      this.#problems.push(`${documents.length} documents cost ${spent}; the status says ${creditsUsed}.`);
    const told = await receiver.toldOf(id);
    const untold = documents.filter(({ metadata }) => !told.scrapeIds.has(metadata.scrapeId));
    this.#tell(
      "never told",
      untold.map(({ metadata }) => metadata.url),
    );
    if (told.types[0] !== "crawl.started" || told.types.at(-1) !== "crawl.completed")
      this.#problems.push(`Webhooks began with ${told.types[0]} and ended with ${told.types.at(-1)}.`);
  }

  /** What the crawl says of pages that it has no document of. */
  async #explained(paths: readonly string[], id: string): Promise<readonly string[]> {
    if (paths.length === 0) return [];
    const { errors } = await this.#ask<{ readonly errors: readonly CrawlError[] }>(
      "GET",
      `/v2/crawl/${id}/errors`,
    );
    const said = new Map(errors.map(({ url, code, error }) => [new URL(url).pathname, `${code} ${error}`]));
    return paths.map((path) => `${path} (${said.get(path) ?? "never told"})`);
  }

  #tell(what: string, paths: readonly string[]): void {
    if (paths.length > 0)
      this.#problems.push(`${paths.length} pages are ${what}: ${paths.slice(0, 5).join(", ")}`);
  }

  async #documentsOf(path: string): Promise<Status["data"]> {
    const { data, next } = await this.#ask<Status>("GET", path);
    const { url = "" } = this.#service ?? {};
    return next === undefined ? data : [...data, ...(await this.#documentsOf(next.replace(url, "")))];
  }

  async #creditsLeft(): Promise<number> {
    const { data } = await this.#ask<{ readonly data: { readonly remainingCredits: number } }>(
      "GET",
      "/v2/team/credit-usage",
    );
    return data.remainingCredits;
  }

  async #ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#service?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }
}
