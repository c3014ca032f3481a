import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { Database } from "../../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import { openSite, type Site } from "../site.ts";
import { findDamage } from "./damage.ts";
import { makeTeam, type SoakService, startSoakService } from "../service-process.ts";

/** How a service ends, and which files, copied alone, have to hold everything that it answered. */
const ENDINGS = {
  kill: { end: (service: SoakService) => service.kill(), files: ["pergamon.db", "pergamon.db-wal"] },
  stop: { end: (service: SoakService) => service.stop(), files: ["pergamon.db"] },
} as const;

export interface EndingOptions {
  readonly ending: keyof typeof ENDINGS;
  readonly times: number;
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
  /** Longest time under load before an end. */
  readonly maxLoadMs: number;
}

/** What was found after all of them. */
export interface EndingReport {
  readonly answered: number;
  /** Requests whose answer an end cut off. */
  readonly cutOff: number;
  /** What should not be, in words. */
  readonly problems: readonly string[];
}

const CREDITS = 1_000_000;
const CLIENTS = 12;
const LEAST_LOAD_MS = 20;
const FIRST_ANSWER_LIMIT_MS = 60_000;

/** What the clients know of one service's life. */
interface Life {
  /** Scrape id → credits, as answered. */
  readonly answered: Map<string, number>;
  cutOff: number;
  isOver: boolean;
}

/**
 * Ends the service again and again at random moments under load, and compares each time the answers of clients with
 * what a copy of its files says.
 */
export async function endAgainAndAgain(options: EndingOptions): Promise<EndingReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "endings-"));
  const site = await openSite();
  for (let page = 0; page < CLIENTS; page += 1) site.page(`/${page}`, `<h1>Page ${page}</h1>`);
  const life: Life = { answered: new Map(), cutOff: 0, isOver: false };
  const problems: string[] = [];
  let apiKey: string | undefined;
  try {
    for (let time = 0; time < options.times; time += 1) {
      const service = await startSoakService({ ...options, dataDir });
      apiKey ??= (await makeTeam(service.url, { name: "soak", credits: CREDITS })).apiKey;
      await loadUntilEnd({ service, site, apiKey }, life, options);
      const found = await findProblems(dataDir, life, options.ending);
      problems.push(...found.map((problem) => `${options.ending} ${time + 1}: ${problem}`));
    }
    return { answered: life.answered.size, cutOff: life.cutOff, problems };
  } finally {
    await site.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Target {
  readonly service: SoakService;
  readonly site: Site;
  readonly apiKey: string;
}

async function loadUntilEnd(target: Target, life: Life, { ending, maxLoadMs }: EndingOptions): Promise<void> {
  life.isOver = false;
  const clients = Array.from({ length: CLIENTS }, (_client, index) => scrapeOn(target, index, life));
  const before = life.answered.size;
  const startMs = performance.now();
  while (life.answered.size === before) {
    if (performance.now() - startMs > FIRST_ANSWER_LIMIT_MS) throw new Error("Nothing is answered.");
    await pause(LEAST_LOAD_MS);
  }
  const loadMs = LEAST_LOAD_MS + Math.random() * (maxLoadMs - LEAST_LOAD_MS);
  await pause(loadMs);
  life.isOver = true;
  await ENDINGS[ending].end(target.service);
  await Promise.all(clients);
}

/** Cached pages, fresh ones, some that fail and some that the client gives up. */
async function scrapeOn({ service, site, apiKey }: Target, index: number, life: Life): Promise<void> {
  for (let turn = 0; !life.isOver; turn += 1) {
    const isFresh = turn % 3 === 0;
    const url = turn % 7 === 6 ? "http://127.0.0.9:1/" : site.url(`/${index}`);
    const signal = turn % 11 === 10 ? AbortSignal.timeout(3) : undefined;
    try {
      const response = await fetch(`${service.url}/v2/scrape`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ url, ...(isFresh && { maxAge: 0 }) }),
        ...(signal && { signal }),
      });
      const { data } = (await response.json()) as Answer;
      if (data) life.answered.set(data.metadata.scrapeId, data.metadata.creditsUsed);
    } catch {
      life.cutOff += 1;
    }
  }
}

interface Answer {
  readonly data?: { readonly metadata: { readonly scrapeId: string; readonly creditsUsed: number } };
}

/** Reads a copy of the database as the end has left it: the next start finds everything untouched. */
async function findProblems(
  dataDir: string,
  life: Life,
  ending: keyof typeof ENDINGS,
): Promise<readonly string[]> {
  const copies = await mkdtemp(join(tmpdir(), "endings-copy-"));
  for (const name of ENDINGS[ending].files) await copyFile(join(dataDir, name), join(copies, name));
  const database = await openDatabase(`sqlite:${copies}/pergamon.db`);
  try {
    const warnings = (await database.inspect?.()) ?? [];
    const damage = (await database.integrityCheck?.()) ?? [];
    const lost = ending === "stop" ? await unrecorded(database, life) : [];
    const blobs = await findDamage(database, `${dataDir}/blobs`);
    return [...warnings, ...damage, ...(await ledgerProblems(database, life)), ...lost, ...blobs];
  } finally {
    await database.close();
    await rm(copies, { recursive: true, force: true });
  }
}

async function ledgerProblems(database: Database, life: Life): Promise<readonly string[]> {
  const charges = await database
    .prepared<{ id: string; amount: number }>(
      "SELECT id, amount FROM ledger_entries WHERE to_account = 'used'",
    )
    .all();
  const problems = [...chargeProblems(charges, life)];
  const sum = async (sql: string) => (await database.prepared<{ sum: number | null }>(sql).get())?.sum ?? 0;
  const used = charges.reduce((total, { amount }) => total + amount, 0);
  const debited = await sum("SELECT sum(debited) AS sum FROM ledger_accounts");
  if (debited !== used) problems.push(`accounts were debited ${debited}, entries say ${used}`);
  const counted = await sum("SELECT sum(credits_used) AS sum FROM usage");
  if (counted !== used) problems.push(`usage counts ${counted}, entries say ${used}`);
  const granted = await sum("SELECT sum(credited) AS sum FROM ledger_accounts");
  if (granted !== CREDITS) problems.push(`${granted} credits were granted instead of ${CREDITS}`);
  return problems;
}

/** A stop writes the history, too; after a kill the last moment of it may be missing. */
async function unrecorded(database: Database, { answered }: Life): Promise<readonly string[]> {
  const rows = await database.prepared<{ id: string }>("SELECT id FROM scrapes").all();
  const recorded = new Set(rows.map(({ id }) => id));
  const missing = [...answered.keys()].filter((id) => !recorded.has(id)).length;
  return missing > 0 ? [`${missing} answered scrapes are not in the history`] : [];
}

function chargeProblems(
  charges: readonly { readonly id: string; readonly amount: number }[],
  { answered, cutOff }: Life,
): readonly string[] {
  const charged = new Map(charges.map(({ id, amount }) => [id, amount]));
  const problems = [...answered]
    .filter(([id, amount]) => charged.get(id) !== amount)
    .map(([id, amount]) => `${id} was answered for ${amount}, and charged ${charged.get(id) ?? "nothing"}`);
  const unanswered = charges.filter(({ id }) => !answered.has(id)).length;
  if (unanswered > cutOff) problems.push(`${unanswered} charges without an answer, but ${cutOff} cut off`);
  return problems;
}
