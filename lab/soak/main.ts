import { parseArgs } from "node:util";

import { fuzzDocuments } from "../../test/fuzz-documents.ts";
import { killCrawls } from "../../test/ends/crawls.ts";
import { endAgainAndAgain, type EndingOptions } from "../../test/ends/endings.ts";
import { liveThroughBadDays } from "../../test/ends/bad-days.ts";
import { fuzzService } from "./fuzz.ts";
import { fightForLastCredits } from "../../test/ends/last-credits.ts";
import { damagedPdfs } from "../../test/damaged-pdf.ts";
import { readPdfs } from "../../test/read-pdfs.ts";
import { endSessionsAgainAndAgain } from "../../test/ends/session-ends.ts";
import { killChecks } from "../../test/ends/monitor-checks.ts";
import { watchMemory } from "./memory.ts";
import { readDamagedPages } from "./pages.ts";
import { pauseService } from "../../test/pauses/pauses.ts";
import { runScaleParts } from "./scale/parts.ts";
import { soakFor } from "../../test/soak-for.ts";
import { workSteadily } from "./steady.ts";
import { killToolCalls } from "../../test/ends/tools.ts";

/**
 * One line per soak; `npm run soak -- <name>` runs one alone, with `--minutes N` again and again for that long;
 * `npm run soak -- --minutes N` runs the steady one that long; `scale` takes `--kills N` (over a pooler, too,
 * with `--beside pooler`) and `--part <name>`, `--against <commit>` for its upgrade, and for its suites `--stores <name>`, `--files part,part` and `--shard 1/4`.
 * Each tells its figures and what went wrong.
 */
const soaks = {
  credits: soakCredits,
  jobs: soakJobs,
  crashes: () => soakEndings("kill", CRASHES),
  stops: () => soakEndings("stop", STOPS),
  steady: soakSteady,
  memory: soakMemory,
  tools: soakTools,
  checks: soakChecks,
  pages: soakPages,
  fuzz: soakFuzz,
  documents: soakDocuments,
  pdfs: soakPdfs,
  interact: soakSessions,
  pauses: soakPauses,
  "bad-days": soakBadDays,
  scale: soakScale,
};

interface Outcome {
  readonly figures: string;
  readonly problems: readonly string[];
}

const command = ["dist/main.js"];
const CRASHES = 100;
const STOPS = 20;
const AWAY_MS = 30_000;
const BAD_DAY_PAGES = 100;
const MINUTES = 2;
/** These take the time themselves; others are repeated until it is over. */
const TAKES_MINUTES: ReadonlySet<string> = new Set(["steady", "interact", "pauses"]);
const MAX_LOAD_MS = 1500;
const CRAWL_KILLS = 100;
const CRAWLED_PAGES = 1000;
const TEAMS = 30;
const TOOL_KILLS = 200;
const MAX_TOOL_LOAD_MS = 400;
const CHECK_KILLS = 100;
const DAMAGED_PAGES = 5000;
const FUZZED_REQUESTS = 20_000;
const DAMAGED_DOCUMENTS = 500;
const DAMAGED_PDFS = 500;
const SESSION_KILLS = 200;
const SCALE_KILLS = 200;

async function soakEndings(ending: EndingOptions["ending"], times: number): Promise<Outcome> {
  const report = await endAgainAndAgain({ ending, times, command, maxLoadMs: MAX_LOAD_MS });
  const { answered, cutOff, problems } = report;
  return { figures: `${times} times, ${answered} answers, ${cutOff} cut off`, problems };
}

async function soakJobs(): Promise<Outcome> {
  const report = await killCrawls({ kills: CRAWL_KILLS, command, pages: CRAWLED_PAGES });
  const { crawls, documents, slowestStatusMs, problems } = report;
  const figures = `${CRAWL_KILLS} kills over ${crawls} crawls, ${documents} documents, the state was there ${slowestStatusMs.toFixed(0)} ms after a start`;
  return { figures, problems };
}

async function soakSteady(): Promise<Outcome> {
  const { answered, before, after, problems } = await workSteadily({ minutes, command });
  const change = (what: keyof typeof before) => `${before[what].toFixed(0)} → ${after[what].toFixed(0)}`;
  const figures = `${minutes} minutes, ${answered} answers, memory ${change("megabytes")} MB, descriptors ${change("descriptors")}, files ${change("dataFiles")}, temporary files ${change("temporaryFiles")}`;
  return { figures, problems };
}

async function soakMemory(): Promise<Outcome> {
  return watchMemory({ command, only: values.part?.split(","), share: Number(values.share ?? 1) });
}

async function soakCredits(): Promise<Outcome> {
  const { answered, refused, cutOff, problems } = await fightForLastCredits({ teams: TEAMS, command });
  return { figures: `${TEAMS} teams, ${answered} answers, ${refused} refused, ${cutOff} cut off`, problems };
}

async function soakTools(): Promise<Outcome> {
  const options = { kills: TOOL_KILLS, command, maxLoadMs: MAX_TOOL_LOAD_MS, resolves: true };
  const { answered, replayed, lost, problems } = await killToolCalls(options);
  return { figures: `${TOOL_KILLS} kills, ${answered} answers, ${replayed} repeats, ${lost} lost`, problems };
}

async function soakChecks(): Promise<Outcome> {
  const { checks, pages, problems } = await killChecks({ kills: CHECK_KILLS, command, seed: 1 });
  return { figures: `${CHECK_KILLS} kills over ${checks} checks of ${pages} pages`, problems };
}

async function soakPages(): Promise<Outcome> {
  return { figures: `${DAMAGED_PAGES} damaged pages`, problems: readDamagedPages(DAMAGED_PAGES) };
}

async function soakFuzz(): Promise<Outcome> {
  const { answers, problems } = await fuzzService({ requests: FUZZED_REQUESTS, command });
  const byStatus = [...answers]
    .toSorted((a, b) => a[0] - b[0])
    .map(([status, count]) => `${count} × ${status}`);
  return { figures: `${FUZZED_REQUESTS} bodies, ${byStatus.join(", ")}`, problems };
}

async function soakDocuments(): Promise<Outcome> {
  const report = await fuzzDocuments({ files: DAMAGED_DOCUMENTS, command });
  const { texts, refusals, timeouts, slowestMs, problems } = report;
  const figures = `${texts} read, ${refusals} refused, ${timeouts} of them for time, the slowest took ${slowestMs.toFixed(0)} ms`;
  return { figures, problems };
}

async function soakPdfs(): Promise<Outcome> {
  const { texts, refusals, crashes, slowestMs, problems } = await readPdfs(damagedPdfs(DAMAGED_PDFS));
  const figures = `${texts} read, ${refusals} refused, ${crashes} processes lost, the slowest took ${slowestMs.toFixed(0)} ms`;
  return { figures, problems };
}

async function soakSessions(): Promise<Outcome> {
  const bound = values.minutes === undefined ? { kills: SESSION_KILLS } : { kills: Infinity, forMs };
  const report = await endSessionsAgainAndAgain({ ...bound, command });
  const { opened, answered, killed, followed, longestLockMs, problems } = report;
  const count = killed.service + killed.browser + killed.box;
  const kills = `${count} kills (${killed.service} services, ${killed.browser} of browsers, ${killed.box} of boxes)`;
  const remains = `${followed} processes followed, a profile was locked for ${longestLockMs.toFixed(0)} ms at most`;
  return { figures: `${kills}, ${opened} sessions, ${answered} ended by clients, ${remains}`, problems };
}

async function soakPauses(): Promise<Outcome> {
  const { rounds, worst, problems } = await pauseService({
    command,
    commandLine: ["dist/cli.js"],
    ...(values.minutes !== undefined && { forMs }),
  });
  const strains = [...worst].map(
    ([name, { busiestMs, longestMs, idleMs }]) =>
      `${name} ${busiestMs} ms busy, ${longestMs.toFixed(0)} ms waited (${idleMs.toFixed(0)} idle)`,
  );
  return { figures: `${rounds} rounds; ${strains.join("; ")}`, problems };
}

/** Takes away the network, too, where this process has one of its own: `unshare --net`, then `ip link set lo up`. */
async function soakBadDays(): Promise<Outcome> {
  const only = values.part === undefined ? {} : { only: values.part.split(",") };
  const { days, problems } = await liveThroughBadDays({
    command,
    awayMs: AWAY_MS,
    pages: BAD_DAY_PAGES,
    ...only,
  });
  return { figures: days.join("; "), problems };
}

function soakScale(): Promise<Outcome> {
  return runScaleParts(values.part, {
    ...values,
    command,
    kills: Number(values.kills ?? SCALE_KILLS),
    files: values.files?.split(",") ?? [],
    beside: values.beside?.split(",") ?? [],
  });
}

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: "string" },
    kills: { type: "string" },
    part: { type: "string" },
    share: { type: "string" },
    stores: { type: "string" },
    files: { type: "string" },
    shard: { type: "string" },
    against: { type: "string" },
    beside: { type: "string" },
  },
  allowPositionals: true,
});
const minutes = Number(values.minutes ?? MINUTES);
const forMs = minutes * 60_000;
const wanted = positionals.length === 0 && values.minutes !== undefined ? ["steady"] : positionals;
const unknown = wanted.find((name) => !Object.hasOwn(soaks, name));
if (unknown !== undefined || !(minutes > 0)) {
  throw new Error(`Use: npm run soak -- [${Object.keys(soaks).join("|")}] [--minutes N]`);
}
for (const [name, soak] of Object.entries(soaks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const repeatsItself = values.minutes === undefined || TAKES_MINUTES.has(name);
  await soakFor(repeatsItself ? 0 : forMs, () => runOnce(name, soak));
}

async function runOnce(name: string, soak: () => Promise<Outcome>): Promise<void> {
  const startMs = performance.now();
  const { figures, problems } = await soak();
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  process.stdout.write(`${name}: ${figures}; ${problems.length} problems; ${seconds} s\n`);
  for (const problem of problems) process.stdout.write(`PROBLEM  ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
