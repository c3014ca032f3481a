import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { linkPage } from "../crawls.ts";
import type { MonitorData } from "../monitors.ts";
import type { RunAnswer } from "../runs.ts";
import { openSite, type Site } from "../site.ts";
import { type Fault, faults } from "./faults.ts";
import { makeTeam, operate, type SoakService, type SoakTeam, startSoakService } from "../service-process.ts";

export interface BadDaysOptions {
  readonly command: readonly string[];
  /** How long each thing is away. */
  readonly awayMs: number;
  /** Of each of the three jobs. */
  readonly pages: number;
  /** Names of those that are taken away. Default: all. */
  readonly only?: readonly string[];
}

export interface BadDaysReport {
  /** One line for each thing that was taken away. */
  readonly days: readonly string[];
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

const CREDITS = 1_000_000;
const ANSWER_MS = 100;
/** How long after the end of an outage everything has to be done: the longest pause is a minute. */
const RECOVERY_MS = 150_000;
const LOOK_MS = 250;

/**
 * Takes away from a service what it needs, one thing after the other, during a crawl, a batch and a check of a monitor. In
 * the end every page is there, once, and charged once.
 */
export async function liveThroughBadDays(options: BadDaysOptions): Promise<BadDaysReport> {
  const days: string[] = [];
  const problems: string[] = [];
  for (const [name, open] of Object.entries(faults)) {
    if (options.only && !options.only.includes(name)) continue;
    const dataDir = await mkdtemp(join(tmpdir(), "bad-days-"));
    const fault = await open(dataDir);
    if (!fault) {
      days.push(`${name}: cannot be taken away here`);
      continue;
    }
    const site = await openSite("0.0.0.0");
    const settings = { HOST_CONCURRENCY: "4", WEBHOOK_RETRY_SECONDS: "1", ...fault.settings };
    const service = await startSoakService({ command: options.command, dataDir, settings });
    try {
      const day = new BadDay({ ...options, name, fault, site, service, dataDir });
      days.push(await day.run());
      problems.push(...day.problems.map((problem) => `${name}: ${problem}`));
      await service.stop();
    } catch (failure) {
      problems.push(`${name}: ${String(failure)} ${service.output().slice(-1000)}`);
    } finally {
      await service.kill().catch((failure: unknown) => problems.push(`${name}: ${String(failure)}`));
      await fault.close();
      await site.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return { days, problems };
}

interface DayParts extends BadDaysOptions {
  readonly name: string;
  readonly fault: Fault;
  readonly site: Site;
  readonly service: SoakService;
  readonly dataDir: string;
}

type Answer = RunAnswer & { readonly data: readonly { readonly metadata: { readonly sourceURL: string } }[] };

class BadDay {
  readonly #parts: DayParts;
  readonly problems: string[] = [];
  #team: SoakTeam | undefined;
  #toldUnready = 0;
  readonly #statuses = new Map<number, number>();

  constructor(parts: DayParts) {
    this.#parts = parts;
  }

  async run(): Promise<string> {
    const { fault, awayMs, name, service } = this.#parts;
    this.#team = await makeTeam(service.url, { name: "bad days", credits: CREDITS });
    const jobs = await this.#begin();
    await fault.take(service);
    await this.#lookFor(awayMs);
    await fault.giveBack(service);
    const startMs = performance.now();
    const pages = await this.#compare(jobs);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    const told = [...this.#statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    return `${name}: ${pages} pages, done ${seconds} s after; not ready ${this.#toldUnready} times; answers meanwhile: ${told || "none"}`;
  }

  /** Begins the three jobs, and waits until the first pages are there. */
  async #begin() {
    const [crawled, batched, watched] = ["crawl", "batch", "monitor"].map((kind) => this.#site(kind));
    const crawl = await this.#ask("POST /v2/crawl", {
      url: crawled?.[0],
      limit: this.#parts.pages,
      crawlEntireDomain: true,
    });
    const batch = await this.#ask("POST /v2/batch/scrape", { urls: batched });
    const monitor = await this.#ask("POST /v2/monitor", {
      name: "bad days",
      schedule: { cron: "0 0 1 1 *" },
      targets: [{ type: "scrape", urls: watched }],
    });
    const monitorId = (monitor.data as unknown as { readonly id: string }).id;
    const check = await this.#ask(`POST /v2/monitor/${monitorId}/run`, {});
    const paths = {
      crawl: `/v2/crawl/${crawl.id}`,
      batch: `/v2/batch/scrape/${batch.id}`,
      check: `/v2/monitor/${monitorId}/checks/${check.id}`,
    };
    if (this.#parts.fault.isBeforeFirstPage) return paths;
    for (let made = 0; made < 3; await pause(50))
      made = (await this.#ask(`GET ${paths.crawl}?limit=1`)).completed;
    return paths;
  }

  #site(kind: string): readonly string[] {
    const { site, pages, fault } = this.#parts;
    const paths = Array.from({ length: pages }, (_page, number) => `/${kind}/${number}`);
    return paths.map((path) => {
      site.page(path, (_request, response) => {
        setTimeout(() => response.end(linkPage(path, paths)), ANSWER_MS);
      });
      return site.url(path).replace("127.0.0.1", fault.host ?? "127.0.0.1");
    });
  }

  async #lookFor(awayMs: number): Promise<void> {
    const untilMs = performance.now() + awayMs;
    while (performance.now() < untilMs) {
      await Promise.all([this.#lookAtReadiness(), this.#scrapeMeanwhile(), pause(LOOK_MS)]);
    }
  }

  async #lookAtReadiness(): Promise<void> {
    const answer = await fetch(`${this.#parts.service.url}/readyz`, {
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined);
    if (answer?.status === 503) this.#toldUnready += 1;
    await answer?.text();
  }

  /** What the service has logged of the failure whose ID the answer names. */
  async #loggedOf(answer: string): Promise<string> {
    const [id = ""] = /[\da-f]{8}-[\da-f-]{27}/.exec(answer) ?? [];
    await pause(500);
    const lines = this.#parts.service.output().split("\n");
    return lines.find((line) => id !== "" && line.includes(id)) ?? "without a line in the log";
  }

  /** What the service lacks is told as 503 with `Retry-After`, without words of the system. */
  async #scrapeMeanwhile(): Promise<void> {
    const { site, fault, dataDir } = this.#parts;
    const url = site.page("/meanwhile", "<h1>Meanwhile</h1>").replace("127.0.0.1", fault.host ?? "127.0.0.1");
    try {
      const response = await this.#fetch("POST /v2/scrape", { url, maxAge: 0, timeout: 20_000 });
      const text = await response.text();
      this.#statuses.set(response.status, (this.#statuses.get(response.status) ?? 0) + 1);
      if (text.includes(dataDir) || /\b(?:E[A-Z]{3,}|SQLITE_\w+)\b/.test(text))
        this.problems.push(`an answer has the words of the system: ${text}`);
      if (response.status === 503 && response.headers.get("retry-after") === null)
        this.problems.push(`503 without Retry-After: ${text}`);
      if (response.status === 500)
        this.problems.push(`an answer is 500: ${text} ${await this.#loggedOf(text)}`);
    } catch {
      // Without network or descriptors nothing is answered at all.
    }
  }

  async #compare({ crawl, batch, check }: { crawl: string; batch: string; check: string }): Promise<number> {
    const [crawled, batched] = [await this.#ended(crawl), await this.#ended(batch)];
    const checked = (await this.#ended(check)) as unknown as MonitorData;
    const [crawledUrls, batchedUrls] = [await this.#documents(crawl), await this.#documents(batch)];
    this.#expectAll("crawl", crawledUrls);
    this.#expectAll("batch", batchedUrls);
    this.#expectAll(
      "monitor",
      checked.pages.flatMap(({ url, error }) => (error === null ? [url] : [])),
    );
    for (const path of [crawl, batch]) {
      const { errors } = await this.#ask(`GET ${path}/errors`);
      if (errors.length > 0)
        this.problems.push(`${errors.length} pages failed: ${JSON.stringify(errors[0])}`);
    }
    await this.#compareCharges(crawled.creditsUsed + batched.creditsUsed + checked.actualCredits);
    return crawledUrls.length + batchedUrls.length + checked.pages.length;
  }

  #expectAll(kind: string, urls: readonly string[]): void {
    const once = new Set(urls);
    if (urls.length === this.#parts.pages && once.size === urls.length) return;
    this.problems.push(
      `${kind}: ${urls.length} pages, ${once.size} of them different, of ${this.#parts.pages}`,
    );
  }

  async #compareCharges(expected: number): Promise<void> {
    const path = `teams/${this.#team?.teamId}/ledger?limit=1000`;
    const { data } = (await operate(this.#parts.service.url, path)) as {
      readonly data: readonly { readonly to: string; readonly amount: number }[];
    };
    const meanwhile = this.#statuses.get(200) ?? 0;
    const charged = data.filter(({ to }) => to === "used").reduce((sum, { amount }) => sum + amount, 0);
    if (charged !== expected + meanwhile || expected !== 3 * this.#parts.pages)
      this.problems.push(`${charged} credits charged, ${expected} of jobs, ${meanwhile} of single requests`);
  }

  async #documents(path: string): Promise<readonly string[]> {
    const { data } = await this.#ask(`GET ${path}?limit=1000`);
    return data.map(({ metadata }) => metadata.sourceURL);
  }

  async #ended(path: string): Promise<Answer> {
    const untilMs = performance.now() + RECOVERY_MS;
    while (performance.now() < untilMs) {
      const answer = await this.#ask(`GET ${path}?limit=100`).catch(() => undefined);
      const found = path.includes("/checks/") ? (answer?.data as unknown as Answer | undefined) : answer;
      if (found && !["scraping", "queued", "running"].includes(found.status)) return found;
      await pause(LOOK_MS);
    }
    throw new Error(`${path} has not ended.`);
  }

  #fetch(line: string, body?: object): Promise<Response> {
    const [method = "GET", path = ""] = line.split(" ");
    return fetch(`${this.#parts.service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#team?.apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
  }

  async #ask(line: string, body?: object): Promise<Answer> {
    const response = await this.#fetch(line, body);
    if (response.status !== 200) throw new Error(`${line}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }
}
