import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { descendantsOf, killProcess, type LivingProcess, stillLiving } from "./living-processes.ts";
import { makeTeam, type SoakService, startSoakService } from "../service-process.ts";
import { chargeProblems, type KnownSessions } from "./session-charges.ts";

export interface SessionEndsOptions {
  /** How many times something is killed: the service, or one of the processes below it, at random. */
  readonly kills: number;
  /** No further one after this time. */
  readonly forMs?: number;
  readonly command: readonly string[];
}

/** What is killed: the service itself, a process of a browser, or one of a box. */
type Victim = "service" | "browser" | "box";

export interface SessionEndsReport {
  readonly opened: number;
  /** Sessions whose end was answered. */
  readonly answered: number;
  readonly killed: Readonly<Record<Victim, number>>;
  /** Processes of services that were killed; each is waited for. */
  readonly followed: number;
  /** Longest time until the profile of a session that was killed could be written to again. */
  readonly longestLockMs: number;
  readonly problems: readonly string[];
}

const CREDITS = 1_000_000;
const CLIENTS = 2;
const MAX_LOAD_MS = 2500;
/** After so long nothing of a dead service may be left, neither processes nor locks. */
const REMAINS_LIMIT_MS = 30_000;
const PROFILE = { name: "soak", saveChanges: true };

/** Kills the service, browsers and boxes at random moments, and compares the answers of clients with the ledger. */
export async function endSessionsAgainAndAgain(options: SessionEndsOptions): Promise<SessionEndsReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "session-ends-"));
  const soak = new SessionSoak(() =>
    startSoakService({ ...options, dataDir, settings: { LOG_LEVEL: "silent" } }),
  );
  try {
    const untilMs = performance.now() + (options.forMs ?? Number.POSITIVE_INFINITY);
    for (let kill = 0; kill < options.kills && performance.now() < untilMs; kill += 1) await soak.round();
    // Sessions that live are ended too.
    await soak.endService("kill");
    await soak.startService();
    const charges = await chargeProblems(join(dataDir, "pergamon.db"), soak.known);
    await soak.endService("stop");
    return soak.report(charges);
  } finally {
    await soak.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

class SessionSoak {
  readonly known: KnownSessions = { opened: new Set(), ended: new Map() };
  readonly #start: () => Promise<SoakService>;
  readonly #problems: string[] = [];
  readonly #killed = { service: 0, browser: 0, box: 0 };
  /** All that was seen below the service that runs. */
  readonly #seen = new Map<string, LivingProcess>();
  #service: SoakService | undefined;
  #apiKey = "";
  #followed = 0;
  #longestLockMs = 0;

  constructor(start: () => Promise<SoakService>) {
    this.#start = start;
  }

  async startService(): Promise<SoakService> {
    this.#service ??= await this.#start();
    this.#apiKey ||= (await makeTeam(this.#service.url, { name: "soak", credits: CREDITS })).apiKey;
    return this.#service;
  }

  /** Opens sessions, one of them with the only lock of a profile, and kills something while they are used. */
  async round(): Promise<void> {
    const service = await this.startService();
    const client = new Client(service.url, this.#apiKey, this.known);
    await this.#lockProfile(client);
    const life = { isOver: false };
    const users = Array.from({ length: CLIENTS }, () => client.useSessions(life));
    await pause(Math.random() * MAX_LOAD_MS);
    life.isOver = true;
    const hasDied = await this.#killSomething(service);
    await Promise.all(users);
    if (!hasDied) await this.#endAll(service, client);
  }

  async endService(how: "kill" | "stop"): Promise<void> {
    if (!this.#service) return;
    this.#look(this.#service);
    await this.#service[how]();
    await this.#untilGone();
  }

  async close(): Promise<void> {
    await this.#service?.kill();
  }

  report(charges: readonly string[]): SessionEndsReport {
    const { opened, ended } = this.known;
    return {
      opened: opened.size,
      answered: ended.size,
      killed: this.#killed,
      followed: this.#followed,
      longestLockMs: this.#longestLockMs,
      problems: [...this.#problems, ...charges],
    };
  }

  /** The lock is kept until the session ends, or dies. */
  async #lockProfile(client: Client): Promise<void> {
    const startMs = performance.now();
    for (;;) {
      const { id, error } = await client.open({ profile: PROFILE });
      const tookMs = performance.now() - startMs;
      this.#longestLockMs = Math.max(this.#longestLockMs, tookMs);
      if (id !== undefined) return;
      if (tookMs > REMAINS_LIMIT_MS) {
        this.#problems.push(`a profile cannot be written to: ${error}`);
        return;
      }
      await pause(100);
    }
  }

  /** @returns whether it was the service; it is half of the time. */
  async #killSomething(service: SoakService): Promise<boolean> {
    const below = this.#look(service);
    const kind = Math.random() < 0.5 ? "browser" : "box";
    const victim = oneOf(below.filter((one) => (kind === "browser") === isOfBrowser(one, below)));
    if (!victim || Math.random() < 0.5) {
      this.#killed.service += 1;
      await this.endService("kill");
      return true;
    }
    this.#killed[kind] += 1;
    killProcess(victim.pid);
    return false;
  }

  /** After any kill, a service that lives on must leave no browser behind. */
  async #endAll(service: SoakService, client: Client): Promise<void> {
    const browsers = this.#look(service).filter(({ name }) => isBrowser(name));
    await client.endAll();
    const left = await stillLiving(browsers, REMAINS_LIMIT_MS);
    if (left.length > 0) this.#problems.push(`${left.length} processes of browsers outlive their sessions`);
  }

  #look(service: SoakService): readonly LivingProcess[] {
    const below = descendantsOf(service.pid);
    for (const one of below) this.#seen.set(`${one.pid} ${one.startedAt}`, one);
    return below;
  }

  async #untilGone(): Promise<void> {
    this.#service = undefined;
    const left = await stillLiving([...this.#seen.values()], REMAINS_LIMIT_MS);
    this.#followed += this.#seen.size;
    this.#seen.clear();
    if (left.length === 0) return;
    this.#problems.push(`processes of a dead service live on: ${left.map(({ name }) => name).join(", ")}`);
  }
}

function oneOf<Value>(values: readonly Value[]): Value | undefined {
  return values[Math.floor(Math.random() * values.length)];
}

/** By the program that the service has started, of which the process comes. */
function isOfBrowser(process: LivingProcess, all: readonly LivingProcess[]): boolean {
  let first = process;
  for (;;) {
    const parent = all.find(({ pid }) => pid === first.parent);
    if (!parent) return isBrowser(first.name);
    first = parent;
  }
}

function isBrowser(name: string): boolean {
  return /chrom/.test(name);
}

class Client {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #known: KnownSessions;
  readonly #own = new Set<string>();

  constructor(url: string, apiKey: string, known: KnownSessions) {
    this.#url = url;
    this.#apiKey = apiKey;
    this.#known = known;
  }

  /** Opens, uses and ends sessions until the life is over; the last one stays as it is. */
  async useSessions(life: { readonly isOver: boolean }): Promise<void> {
    while (!life.isOver) {
      try {
        const { id } = await this.open({});
        if (id === undefined) continue;
        await this.#ask("POST", `/v2/browser/${id}/execute`, { code: "1 + 1", language: "node" });
        if (life.isOver) return;
        await this.#end(id);
      } catch {
        // The service was killed under way.
      }
    }
  }

  async open(wish: object): Promise<{ readonly id: string | undefined; readonly error: string }> {
    const { id, error } = await this.#ask("POST", "/v2/browser", wish);
    if (typeof id === "string") {
      this.#own.add(id);
      this.#known.opened.add(id);
    }
    return { id: typeof id === "string" ? id : undefined, error: String(error) };
  }

  /** Those that something else has ended already are not found. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#own].map((id) => this.#end(id)));
  }

  async #end(id: string): Promise<void> {
    this.#own.delete(id);
    const { creditsBilled } = await this.#ask("DELETE", `/v2/browser/${id}`);
    if (typeof creditsBilled === "number") this.#known.ended.set(id, creditsBilled);
  }

  async #ask(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Readonly<Record<string, unknown>>;
  }
}
