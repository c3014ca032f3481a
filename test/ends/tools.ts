import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { openSite, type Site } from "../site.ts";
import { readLedger } from "./ledger.ts";
import { makeTeam, operate, type SoakService, type SoakTeam, startSoakService } from "../service-process.ts";

export interface ToolSoakOptions {
  /** Ends without a warning, each followed by a new start. */
  readonly kills: number;
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
  readonly maxLoadMs: number;
  /** Whether to wait until what was lost is unresolved, and to have it resolved: half a minute. */
  readonly resolves: boolean;
}

export interface ToolSoakReport {
  readonly answered: number;
  /** Asked again after a crash, and answered with the same bytes. */
  readonly replayed: number;
  /** Lost in a crash. */
  readonly lost: number;
  readonly problems: readonly string[];
}

const CLIENTS = 8;
const CREDITS = 1_000_000;
const PRICES = { read: 2, write: 3 } as const;
const MAX_DELAY_MS = 40;
/** Deadline of a request whose loss is to become known, and when the service gives it up. */
const REQUEST_MS = 1000;
const UNRESOLVED_MS = REQUEST_MS + 31_000;
const PATIENCE_MS = 30_000;
/** The call is in flight or its outcome unknown; the process ends; the deadline came before any call. */
const REFUSALS = new Set([409, 503, 504]);

interface Asked {
  readonly id: string;
  readonly capability: keyof typeof PRICES;
  /** The first answer of 200. */
  text: string | undefined;
}

interface Arena {
  readonly resolves: boolean;
  readonly site: Site;
  readonly team: SoakTeam;
  readonly requests: Asked[];
  /** Request id → how often the provider was called. */
  readonly executions: Map<string, number>;
  readonly problems: string[];
  replayed: number;
}

/** Kills the service under tool calls again and again; then holds answers, charges and executions against each other. */
export async function killToolCalls(options: ToolSoakOptions): Promise<ToolSoakReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "tool-kills-"));
  const site = await openSite();
  const executions = new Map<string, number>();
  const settings = { PROVIDERS_FILE: join(dataDir, "providers.json"), TEAM_CONCURRENCY: "off" };
  await writeFile(settings.PROVIDERS_FILE, JSON.stringify(shopAt(site)));
  const start = () => startSoakService({ command: options.command, dataDir, settings });
  let service = await start();
  try {
    const flags = { providerTools: true };
    const { resolves } = options;
    const team = await makeTeam(service.url, { name: "shop", credits: CREDITS, flags });
    const arena: Arena = { resolves, site, team, requests: [], executions, problems: [], replayed: 0 };
    for (let kill = 0; kill < options.kills; kill += 1) {
      service = await oneLife(service, start, { arena, loadMs: Math.random() * options.maxLoadMs });
    }
    await askForTheLost(service, arena);
    arena.problems.push(...(await findProblems(service, arena)));
    if (resolves) arena.problems.push(...(await findHeldCredits(service, team)));
    const answered = arena.requests.filter(({ text }) => text !== undefined).length;
    const { replayed, problems, requests } = arena;
    return { answered, replayed, lost: requests.length - answered, problems };
  } finally {
    await site.close();
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function shopAt(site: Site): object {
  const word = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
  const capabilities = Object.entries(PRICES).map(([id, creditsCost]) => ({
    id,
    description: "Counted.",
    creditsCost,
    readOnly: id === "read",
    options: word,
    request: { path: "/call", query: { word: "{word}" } },
  }));
  const shop = { id: "shop", name: "Shop", kind: "http", description: "Counts.", base: site.url("") };
  return { providers: [{ ...shop, capabilities }] };
}

interface Life {
  readonly arena: Arena;
  readonly loadMs: number;
}

/** Clients call until the service is killed. @returns the next one. */
async function oneLife(
  service: SoakService,
  start: () => Promise<SoakService>,
  { arena, loadMs }: Life,
): Promise<SoakService> {
  countCalls(arena);
  const life = { isOver: false, isWarm: false };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!life.isOver) {
      const status = await ask(service, arena, choose(arena));
      life.isWarm ||= status === 200;
    }
  });
  // A busy machine takes its time; a kill before anything was answered proves little.
  const warmUntilMs = performance.now() + PATIENCE_MS;
  while (!life.isWarm && performance.now() < warmUntilMs) await sleep(10);
  await sleep(loadMs);
  life.isOver = true;
  await service.kill();
  await Promise.all(clients);
  return start();
}

function countCalls({ site, executions }: Arena): void {
  site.page("/call", (request, response) => {
    const word = new URL(request.url ?? "", site.url("")).searchParams.get("word") ?? "";
    executions.set(word, (executions.get(word) ?? 0) + 1);
    setTimeout(() => response.end(JSON.stringify({ word })), Math.random() * MAX_DELAY_MS);
  });
}

/** Mostly something new; at times something that was answered, or lost, before. */
function choose({ requests }: Arena): Asked {
  const earlier = requests[Math.floor(Math.random() * requests.length)];
  if (earlier && Math.random() < 0.3) return earlier;
  const capability = Math.random() < 0.5 ? "read" : "write";
  const made: Asked = { id: `${capability}-${requests.length}`, capability, text: undefined };
  requests.push(made);
  return made;
}

async function ask({ url }: SoakService, arena: Arena, asked: Asked): Promise<number> {
  const { id, capability } = asked;
  const call = { provider: "shop", capability, options: { word: id } };
  const deadline = arena.resolves ? { timeout: REQUEST_MS } : {};
  try {
    const response = await fetch(`${url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${arena.team.apiKey}`, "x-request-id": id },
      body: JSON.stringify({ alexandria: call, ...deadline }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (response.status === 200) note(asked, text, arena);
    else if (!REFUSALS.has(response.status)) {
      arena.problems.push(`${id} was answered with ${response.status}: ${text}`);
    }
    return response.status;
  } catch {
    // Killed in the middle.
    return 0;
  }
}

function note(asked: Asked, text: string, arena: Arena): void {
  if (asked.text !== undefined) arena.replayed += 1;
  if (asked.text !== undefined && asked.text !== text)
    arena.problems.push(`${asked.id} was answered in two ways`);
  asked.text ??= text;
}

/** What was answered is answered again; what was lost is done again where that does no harm, or resolved. */
async function askForTheLost(service: SoakService, arena: Arena): Promise<void> {
  const { resolves } = arena;
  if (resolves) await sleep(UNRESOLVED_MS);
  for (const asked of arena.requests) {
    const status = await ask(service, arena, asked);
    if (!resolves || status === 200) continue;
    if (asked.capability === "read")
      arena.problems.push(`${asked.id} reads only, and was not done again: ${status}`);
    await release(service, arena, asked);
  }
}

async function release(service: SoakService, arena: Arena, asked: Asked): Promise<void> {
  const answer = (await operate(service.url, "tool-requests?state=running&limit=1000")) as {
    readonly data: readonly { readonly chargeId: string; readonly state: string }[];
  };
  for (const { chargeId, state } of answer.data) {
    if (state !== "unresolved") continue;
    await operate(service.url, `tool-requests/${chargeId}/resolve`, { outcome: "released" });
  }
  const status = await ask(service, arena, asked);
  if (status !== 200) arena.problems.push(`${asked.id} was resolved, and is answered with ${status}`);
}

interface Answered {
  readonly scrape_id: string;
  readonly data: { readonly creditsCost: number };
}

async function findProblems(service: SoakService, arena: Arena): Promise<readonly string[]> {
  const { team, requests, executions } = arena;
  const charges = (await readLedger(service, team)).filter(({ to }) => to === "used");
  const charged = new Map(charges.map(({ id, amount }) => [id, amount]));
  const problems = charges.length === charged.size ? [] : ["a request was charged twice"];
  const expected = new Map<string, number>();
  for (const { id, capability, text } of requests) {
    const times = executions.get(id) ?? 0;
    if (capability === "write" && times > 1) problems.push(`${id} was executed ${times} times`);
    if (text === undefined) continue;
    const { scrape_id: scrapeId, data } = JSON.parse(text) as Answered;
    if (data.creditsCost > 0) expected.set(scrapeId, data.creditsCost);
    if (data.creditsCost > 0 && times === 0) problems.push(`${id} was charged, and never executed`);
  }
  for (const [id, amount] of expected) {
    if (charged.get(id) !== amount)
      problems.push(`${id} was answered for ${amount}, charged ${charged.get(id) ?? 0}`);
  }
  for (const id of charged.keys())
    if (!expected.has(id)) problems.push(`${id} was charged, and never answered`);
  return problems;
}

/** When all has ended, what is not charged can be spent. */
async function findHeldCredits(service: SoakService, team: SoakTeam): Promise<readonly string[]> {
  const charges = (await readLedger(service, team)).filter(({ to }) => to === "used");
  const left = CREDITS - charges.reduce((sum, { amount }) => sum + amount, 0);
  const { data } = (await operate(service.url, "teams")) as {
    readonly data: readonly { readonly teamId: string; readonly remainingCredits: number }[];
  };
  const spendable = data.find(({ teamId }) => teamId === team.teamId)?.remainingCredits;
  return spendable === left ? [] : [`${left} credits are left, but ${spendable} can be spent`];
}
