import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { openDatabase } from "../src/platform/database/drivers.ts";
import { makeTeam, type SoakService, startSoakService } from "./service.ts";

export interface SessionEndsOptions {
  /** How many times something is killed: the service, or one of the processes below it, at random. */
  readonly kills: number;
  readonly command: readonly string[];
}

export interface SessionEndsReport {
  readonly opened: number;
  /** Sessions whose end was answered. */
  readonly answered: number;
  readonly problems: readonly string[];
}

const CREDITS = 1_000_000;
const CLIENTS = 2;
const MOST_LOAD_MS = 2500;
/** After so long nothing of a dead service may be left. */
const ORPHAN_LIMIT_MS = 30_000;
/** A dead process is taken for dead after 10 seconds, and looked for every 5. */
const RECOVERY_LIMIT_MS = 60_000;
const PROFILE = { name: "soak", saveChanges: true };

/** What the clients know. */
interface Knowledge {
  readonly opened: Set<string>;
  /** Session → credits, as answered to DELETE. */
  readonly ended: Map<string, number>;
}

/** Kills the service, browsers and boxes at random moments, and compares what clients were told with the ledger. */
export async function endSessionsAgainAndAgain(options: SessionEndsOptions): Promise<SessionEndsReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "session-ends-"));
  const known: Knowledge = { opened: new Set(), ended: new Map() };
  const problems: string[] = [];
  let service: SoakService | undefined;
  let apiKey = "";
  const start = () => startSoakService({ ...options, dataDir, settings: { LOG_LEVEL: "silent" } });
  try {
    for (let kill = 0; kill < options.kills; kill += 1) {
      service ??= await start();
      apiKey ||= (await makeTeam(service.url, { name: "soak", credits: CREDITS })).apiKey;
      const client = new Client(service.url, apiKey);
      problems.push(...(await client.takeProfile()));
      const hasDied = await loadUntilKill(service, client, known, problems);
      if (hasDied) service = undefined;
    }
    // Sessions that live are ended too.
    await service?.kill();
    service = await start();
    problems.push(...(await untilSettled(join(dataDir, "pergamon.db"), known)));
    await service.stop();
    service = undefined;
    return { opened: known.opened.size, answered: known.ended.size, problems };
  } finally {
    await service?.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @returns whether it was the service that was killed. */
async function loadUntilKill(
  service: SoakService,
  client: Client,
  known: Knowledge,
  problems: string[],
): Promise<boolean> {
  const life = { isOver: false };
  const clients = Array.from({ length: CLIENTS }, () => useSessions(client, known, life));
  await pause(Math.random() * MOST_LOAD_MS);
  const below = descendants(service.pid);
  const victims = [service.pid, ...below.map(({ pid }) => pid)];
  // Half of the time the service itself.
  const victim = Math.random() < 0.5 ? service.pid : victims[Math.floor(Math.random() * victims.length)];
  const isService = victim === service.pid;
  life.isOver = true;
  if (isService) await service.kill();
  else if (victim !== undefined) killProcess(victim);
  await Promise.all(clients);
  if (isService) problems.push(...(await untilGone(below)));
  return isService;
}

/** Opens, uses and ends sessions until the life is over; the last one stays as it is. */
async function useSessions(client: Client, known: Knowledge, life: { isOver: boolean }): Promise<void> {
  while (!life.isOver) {
    try {
      const { id } = await client.ask("POST", "/v2/browser", {});
      if (typeof id !== "string") continue;
      known.opened.add(id);
      await client.ask("POST", `/v2/browser/${id}/execute`, { code: "1 + 1", language: "node" });
      if (life.isOver) return;
      const { creditsBilled } = await client.ask("DELETE", `/v2/browser/${id}`);
      if (typeof creditsBilled === "number") known.ended.set(id, creditsBilled);
    } catch {
      // The service was killed under way.
    }
  }
}

class Client {
  readonly #url: string;
  readonly #apiKey: string;

  constructor(url: string, apiKey: string) {
    this.#url = url;
    this.#apiKey = apiKey;
  }

  async ask(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Readonly<Record<string, unknown>>;
  }

  /** Takes the lock of a profile, and keeps it until it is killed, or until the next round ends it. */
  async takeProfile(): Promise<readonly string[]> {
    const endMs = performance.now() + ORPHAN_LIMIT_MS;
    for (;;) {
      const { id, error } = await this.ask("POST", "/v2/browser", { profile: PROFILE });
      if (typeof id === "string") {
        await this.ask("DELETE", `/v2/browser/${id}`);
        return [];
      }
      if (performance.now() > endMs) return [`a profile cannot be written to: ${String(error)}`];
      await pause(200);
    }
  }
}

interface LivingProcess {
  readonly pid: number;
  readonly parent: number;
  /** Tells it from a later process of the same number. */
  readonly startedAt: string;
}

function descendants(root: number): readonly LivingProcess[] {
  const all = readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [],
  );
  const found = all.filter(({ parent }) => parent === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** Undefined for one that has ended. */
function statOf(pid: number): LivingProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : { pid, parent: Number(fields[1]), startedAt: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

async function untilGone(processes: readonly LivingProcess[]): Promise<readonly string[]> {
  const endMs = performance.now() + ORPHAN_LIMIT_MS;
  for (;;) {
    const left = processes.filter(({ pid, startedAt }) => statOf(pid)?.startedAt === startedAt);
    if (left.length === 0) return [];
    if (performance.now() > endMs) return [`${left.length} processes of a dead service live on`];
    await pause(100);
  }
}

interface SessionFacts {
  readonly id: string;
  readonly state: string;
  readonly credits: number | null;
}

/** Waits until no session of a dead process is left, then holds rows, answers and charges against each other. */
async function untilSettled(file: string, known: Knowledge): Promise<readonly string[]> {
  const database = await openDatabase(`sqlite:${file}`);
  try {
    const endMs = performance.now() + RECOVERY_LIMIT_MS;
    const select = "SELECT id, state, credits FROM interact_sessions";
    let rows = await database.prepared<SessionFacts>(select).all();
    while (rows.some(({ state }) => state === "opening" || state === "active")) {
      if (performance.now() > endMs) return ["sessions of dead processes were not ended"];
      await pause(500);
      rows = await database.prepared<SessionFacts>(select).all();
    }
    const entries = "SELECT id, amount FROM ledger_entries WHERE to_account = 'used'";
    return differences(rows, await database.prepared<Charge>(entries).all(), known);
  } finally {
    await database.close();
  }
}

interface Charge {
  readonly id: string;
  readonly amount: number;
}

function differences(
  rows: readonly SessionFacts[],
  charges: readonly Charge[],
  { opened, ended }: Knowledge,
): readonly string[] {
  const charged = new Map<string, number>();
  for (const { id, amount } of charges) charged.set(id, (charged.get(id) ?? 0) + amount);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lost = [...opened].filter((id) => !byId.has(id)).map((id) => `the session ${id} is lost`);
  const wrong = rows
    .filter(({ id, credits }) => (charged.get(id) ?? 0) !== credits)
    .map(({ id, credits }) => `${id} cost ${credits}, and was charged ${charged.get(id) ?? 0}`);
  const free = rows
    .filter(({ state, credits }) => state === "destroyed" && !credits)
    .map(({ id }) => `${id} was free`);
  const told = [...ended]
    .filter(([id, credits]) => charged.get(id) !== credits)
    .map(([id, credits]) => `${id} was answered for ${credits}, and charged ${charged.get(id) ?? 0}`);
  const strange = charges.filter(({ id }) => !byId.has(id)).map(({ id }) => `${id} was charged for nothing`);
  return [...lost, ...wrong, ...free, ...told, ...strange];
}
