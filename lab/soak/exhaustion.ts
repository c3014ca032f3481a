import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { quantile } from "../bench/session-browsers.ts";
import { openSite, type Site } from "../../test/site.ts";
import { type AttackedSession, type Attack, attacks, type Ran } from "./exhausting-attacks.ts";
import { descendantsOf } from "../../test/ends/living-processes.ts";
import { makeTeam, type SoakService, startSoakService } from "../../test/service-process.ts";

export interface ExhaustionOptions {
  readonly command: readonly string[];
  /** Names of attacks. Default: all. */
  readonly only?: readonly string[];
  /** All of them again and again for this time. Default: once. */
  readonly forMs?: number;
}

export interface ExhaustionReport {
  /** One line each. */
  readonly attacks: readonly string[];
  /** Of the scrapes of a neighbour, alone and during all attacks. */
  readonly aloneMs: number;
  readonly attackedMs: number;
  readonly problems: readonly string[];
}

/** What an answer may take beyond the time of its code. */
const ANSWER_LIMIT_MS = 2000;
const ALONE_MS = 5000;
const CALM_LIMIT_MS = 30_000;
/** Other work of this machine counts into both. */
const MAX_GROWTH = 3;
const LEAST_JUDGED_MS = 100;

/** Takes from sessions all that can be taken, one thing after the other, next to a neighbour who only scrapes. */
export async function exhaustSessions({
  command,
  only,
  forMs = 0,
}: ExhaustionOptions): Promise<ExhaustionReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "exhaustion-"));
  const site = await openSite();
  const service = await startSoakService({ command, dataDir });
  try {
    const soak = await Exhaustion.open(service, site);
    const alone = await soak.neighbourDuring(() => pause(ALONE_MS));
    const wanted = Object.entries(attacks).filter(([name]) => only?.includes(name) ?? true);
    const lines: string[] = [];
    const during: number[] = [];
    const untilMs = performance.now() + forMs;
    do {
      for (const [name, attack] of wanted) {
        const attacked = async () => lines.push(`${name} ${await soak.attack(name, attack)}`);
        during.push(...(await soak.neighbourDuring(attacked)));
      }
    } while (performance.now() < untilMs);
    await service.stop();
    const [aloneMs, attackedMs] = [quantile(alone, 0.95), quantile(during, 0.95)];
    const isSlower = attackedMs > Math.max(aloneMs, LEAST_JUDGED_MS) * MAX_GROWTH;
    const neighbours = isSlower
      ? [`a neighbour waits ${attackedMs.toFixed(0)} ms instead of ${aloneMs.toFixed(0)}`]
      : [];
    return { attacks: lines, aloneMs, attackedMs, problems: [...soak.problems, ...neighbours] };
  } finally {
    await site.close();
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

class Exhaustion {
  readonly problems: string[] = [];
  readonly #service: SoakService;
  readonly #apiKey: string;
  readonly #pageUrl: string;
  readonly #neverUrl: string;
  /** Processes while there is no session: a box is kept ready. */
  #calmCount = 0;

  private constructor(service: SoakService, site: Site, apiKey: string) {
    this.#service = service;
    this.#apiKey = apiKey;
    this.#pageUrl = site.page("/neighbour", "<h1>Neighbour</h1><p>Some text.</p>");
    this.#neverUrl = site.page("/never", () => undefined);
  }

  static async open(service: SoakService, site: Site): Promise<Exhaustion> {
    const { apiKey } = await makeTeam(service.url, { name: "soak" });
    const soak = new Exhaustion(service, site, apiKey);
    const { id, session } = await soak.#open();
    await session.run("node", "1 + 1", 30);
    await soak.#ask("DELETE", `/v2/browser/${id}`);
    // The next box is being made ready.
    await pause(8000);
    soak.#calmCount = descendantsOf(service.pid).length;
    return soak;
  }

  /** @returns how long its scrapes took, in milliseconds each. */
  async neighbourDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
    const took: number[] = [];
    const life = { isOver: false };
    const scrape = async () => {
      while (!life.isOver) {
        const startMs = performance.now();
        await this.#ask("POST", "/v2/scrape", { url: this.#pageUrl, maxAge: 0, fastMode: true });
        took.push(performance.now() - startMs);
        await pause(50);
      }
    };
    await Promise.all([
      scrape(),
      work().finally(() => {
        life.isOver = true;
      }),
    ]);
    return took;
  }

  /** @returns what came of it, in words. */
  async attack(name: string, attack: Attack): Promise<string> {
    const { id, session } = await this.#open();
    const startMs = performance.now();
    const complaint = await attack.run(session, attack.timeoutSeconds);
    const tookMs = performance.now() - startMs;
    if (complaint !== undefined) this.problems.push(`${name}: ${complaint}`);
    if (tookMs > attack.timeoutSeconds * 1000 + ANSWER_LIMIT_MS) {
      this.problems.push(`${name}: took ${tookMs.toFixed(0)} ms instead of ${attack.timeoutSeconds} s`);
    }
    const after = await this.#stateAfter(id, session);
    if (after === "unusable") this.problems.push(`${name}: the session is neither usable nor destroyed`);
    await this.#ask("DELETE", `/v2/browser/${id}`);
    const left = await this.#leftRunning();
    if (left > 0) this.problems.push(`${name}: ${left} processes are left`);
    return `${(tookMs / 1000).toFixed(1)} s, ${after}`;
  }

  async #stateAfter(id: string, { run }: AttackedSession): Promise<"usable" | "destroyed" | "unusable"> {
    const { status, result } = (await run(
      "node",
      "const fresh = context.pages().length < 30 ? await context.newPage() : context.pages().at(-1); await fresh.evaluate(() => 6 * 7)",
      20,
    )) as Ran & { readonly result?: string };
    if (status === 200 && result === "42") return "usable";
    const { body } = await this.#ask("GET", `/v2/browser/${id}`);
    return body["status"] === "destroyed" ? "destroyed" : "unusable";
  }

  async #leftRunning(): Promise<number> {
    const endMs = performance.now() + CALM_LIMIT_MS;
    for (;;) {
      const left = descendantsOf(this.#service.pid).length - this.#calmCount;
      if (left <= 0 || performance.now() > endMs) return Math.max(0, left);
      await pause(100);
    }
  }

  async #open(): Promise<{ readonly id: string; readonly session: AttackedSession }> {
    const { body } = await this.#ask("POST", "/v2/browser", {});
    const id = String(body["id"]);
    const session: AttackedSession = {
      cdpUrl: String(body["cdpUrl"]),
      liveViewUrl: String(body["liveViewUrl"]),
      neverUrl: this.#neverUrl,
      run: async (language, code, timeout) => {
        const ran = await this.#ask("POST", `/v2/browser/${id}/execute`, { language, code, timeout });
        return { status: ran.status, ...ran.body };
      },
    };
    return { id, session };
  }

  async #ask(method: string, path: string, body?: object) {
    const response = await fetch(this.#service.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  }
}
