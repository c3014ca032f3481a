import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openSite, type Site } from "../site.ts";
import { readLedger } from "./ledger.ts";
import { makeTeam, type SoakService, startSoakService, type SoakTeam } from "../service-process.ts";

export interface LastCreditsOptions {
  /** Teams whose credits are used up, one after the other. */
  readonly teams: number;
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
}

export interface LastCreditsReport {
  readonly answered: number;
  /** Answered without enough credits, that is: refused. */
  readonly refused: number;
  /** Given up by the client. */
  readonly cutOff: number;
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

const CLIENTS = 50;
const MAX_CREDITS = 200;
const REQUEST_LIMIT_MS = 30_000;

/** The answers that the clients of one team got. */
interface Told {
  /** Scrape id → credits. */
  readonly answered: Map<string, number>;
  /** Credits of failures that cost something: their answers do not say under which id. */
  failed: number;
  refused: number;
  cutOff: number;
}

/** Fifty clients at once fight for the last credits of a team; then the ledger is compared with their answers. */
export async function fightForLastCredits(options: LastCreditsOptions): Promise<LastCreditsReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "last-credits-"));
  const site = await openSite();
  site.page("/cached", "<h1>Cached</h1>");
  const service = await startSoakService({ ...options, dataDir, settings: { TEAM_QUEUE: "10000" } });
  const report = { answered: 0, refused: 0, cutOff: 0, problems: [] as string[] };
  try {
    for (let round = 0; round < options.teams; round += 1) {
      const credits = 1 + Math.floor(Math.random() * MAX_CREDITS);
      const team = await makeTeam(service.url, { name: `team ${round}`, credits });
      const told = await useUp({ service, site, team });
      report.answered += told.answered.size;
      report.refused += told.refused;
      report.cutOff += told.cutOff;
      const found = await findProblems({ service, site, team }, credits, told);
      report.problems.push(...found.map((problem) => `team ${round + 1}: ${problem}`));
    }
    return report;
  } finally {
    await site.close();
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Arena {
  readonly service: SoakService;
  readonly site: Site;
  readonly team: SoakTeam;
}

async function useUp(arena: Arena): Promise<Told> {
  const told: Told = { answered: new Map(), failed: 0, refused: 0, cutOff: 0 };
  await Promise.all(Array.from({ length: CLIENTS }, () => scrapeUntilRefused(arena, told)));
  // What others had set aside for work that cost less may be left.
  while (await scrapeOnce(arena, { url: arena.site.url("/cached") }, told));
  return told;
}

/** Ends when not even the cheapest scrape is left. */
async function scrapeUntilRefused(arena: Arena, told: Told): Promise<void> {
  const plain = { url: arena.site.url("/cached") };
  for (;;) {
    const request = { ...plain, ...pick(requests) };
    const isAnswered = await scrapeOnce(
      arena,
      request,
      told,
      Math.random() < 0.1 ? 1 + Math.random() * 20 : undefined,
    );
    if (!isAnswered && !(await scrapeOnce(arena, plain, told))) return;
  }
}

/** Of every price that there is without a language model. */
const requests: readonly object[] = [
  {},
  {},
  { maxAge: 0 },
  { zeroDataRetention: true },
  { lockdown: true },
  { lockdown: true, maxAge: 0 },
  { url: "http://127.0.0.9:1/" },
  { wrong: true },
];

function pick<Item>(list: readonly Item[]): Item | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

/** @returns false when credits were short. */
async function scrapeOnce(
  { service, team }: Arena,
  request: object,
  told: Told,
  patienceMs = REQUEST_LIMIT_MS,
) {
  try {
    const response = await fetch(`${service.url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${team.apiKey}` },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(patienceMs),
    });
    const { data, code } = (await response.json()) as Answer;
    if (data) told.answered.set(data.metadata.scrapeId, data.metadata.creditsUsed);
    if (code === "SCRAPE_LOCKDOWN_CACHE_MISS") told.failed += 1;
    if (response.status === 402) told.refused += 1;
    return response.status !== 402;
  } catch {
    told.cutOff += 1;
    return true;
  }
}

interface Answer {
  readonly data?: { readonly metadata: { readonly scrapeId: string; readonly creditsUsed: number } };
  readonly code?: string;
}

async function findProblems(
  { service, team }: Arena,
  credits: number,
  told: Told,
): Promise<readonly string[]> {
  const charges = (await readLedger(service, team)).filter(({ to }) => to === "used");
  const used = charges.reduce((sum, { amount }) => sum + amount, 0);
  const charged = new Map(charges.map(({ id, amount }) => [id, amount]));
  const problems = [...told.answered]
    .filter(([id, amount]) => charged.get(id) !== amount)
    .map(([id, amount]) => `${id} was answered for ${amount}, and charged ${charged.get(id) ?? "nothing"}`);
  const unanswered = charges.filter(({ id }) => !told.answered.has(id)).length;
  if (unanswered < told.failed || unanswered > told.failed + told.cutOff) {
    problems.push(
      `${unanswered} charges without a document; ${told.failed} failures, ${told.cutOff} cut off`,
    );
  }
  if (used !== credits) problems.push(`${used} of ${credits} credits were used`);
  return problems;
}
