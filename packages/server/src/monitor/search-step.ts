import { sha256Hex } from "@pergamon-dev/kit/hash";
import { ServiceError } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Statements } from "../storage/database/database.ts";
import type { EngineResult } from "../search/engines/search-engine.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import { type CheckWork, endStep } from "./check-work.ts";
import { isJudging } from "./request.ts";
import type { MonitorServices } from "./services.ts";
import type { SearchTarget } from "./targets.ts";
import { type CheckStep, type FoundResult, insertSteps } from "./steps.ts";
import type { Finding } from "./page-finding.ts";
import { nameOfResult, resultFinding } from "./search-results.ts";
import { changeResult, NO_MODEL, recordDegraded, type TargetResult } from "./target-results.ts";
import { writeFinding } from "./write-finding.ts";

/** Shortest period of the search engines that contains the window. */
const PERIODS: Readonly<Record<SearchTarget["searchWindow"], string>> = {
  "5m": "qdr:h",
  "15m": "qdr:h",
  "1h": "qdr:h",
  "6h": "qdr:d",
  "24h": "qdr:d",
  "7d": "qdr:w",
};

interface Searched {
  readonly results: readonly EngineResult[];
  readonly credits: number;
  readonly warning: string | undefined;
  /** Why a query failed. Undefined when it succeeded. */
  readonly failure: string | undefined;
}

interface PlacedSearch {
  readonly target: SearchTarget;
  readonly index: number;
}

/**
 * Runs the searches of a target. Results that no earlier check met are reported as new, or are judged in
 * steps of their own.
 */
export async function searchTarget(
  work: CheckWork,
  { target, index }: PlacedSearch,
  services: MonitorServices,
): Promise<void> {
  const searched = await searchAll(work, target, services);
  const isJudged = isJudging(work.plan);
  const sorted = await sortResults(work, { target, results: searched.results, isJudged }, services);
  const { findings, fresh } = sorted;
  await endStep(work, services, async (tx) => {
    for (const finding of findings) await writeFinding(tx, work, finding, services);
    await noteSearch(tx, work, { target, searched, fresh: sorted.count });
    const steps = fresh.map((result): CheckStep => ({ kind: "result", target: index, result }));
    await insertSteps(tx, work.check.id, steps);
    await services.store.dispatcher.admit(tx, work.check.id, steps.length);
    if (isJudged && !services.models.isConfigured && sorted.count > 0)
      await recordDegraded(tx, { checkId: work.check.id, targetId: target.id, reason: NO_MODEL });
  });
}

interface ResultsToSort {
  readonly target: SearchTarget;
  readonly results: readonly EngineResult[];
  readonly isJudged: boolean;
}

/** Separates results that need a judgment from known ones and from new ones that need none. */
async function sortResults(
  work: CheckWork,
  { target, results, isJudged }: ResultsToSort,
  { states, models }: MonitorServices,
) {
  const findings: Finding[] = [];
  const fresh: FoundResult[] = [];
  let count = 0;
  for (const { url, title, description, date } of results) {
    const result = { url, title, description, date };
    const isKnown = (await states.get(nameOfResult(work, target, url))) !== undefined;
    if (!isKnown) count += 1;
    if (!isKnown && isJudged && models.isConfigured) fresh.push(result);
    else
      findings.push(
        resultFinding(work, { target, result, searchStatus: isKnown ? "already_seen" : "alert" }),
      );
  }
  return { findings, fresh, count };
}

/** Ends the searches of a target that failed three times. */
export async function giveUpSearch(
  work: CheckWork,
  target: SearchTarget,
  failure: string,
  services: MonitorServices,
): Promise<void> {
  const searched: Searched = { results: [], credits: 0, warning: undefined, failure };
  await endStep(work, services, (tx) => noteSearch(tx, work, { target, searched, fresh: 0 }));
}

/**
 * Runs one query after the other. A failed query is skipped. Of all results of different pages, the first
 * ones are taken.
 */
async function searchAll(
  work: CheckWork,
  target: SearchTarget,
  services: MonitorServices,
): Promise<Searched> {
  const { job, check, signal } = work;
  const caller = await services.callers.ofWork(job);
  const none = { results: [], credits: 0, warning: undefined };
  if (!caller) return { ...none, failure: "The API key of this monitor is not in use any more." };
  const results = new Map<string, EngineResult>();
  let [credits, warning, failure]: [number, string | undefined, string | undefined] = [
    0,
    undefined,
    undefined,
  ];
  for (const [index, query] of target.queries.entries()) {
    const id = idOfWork(check.id, `search ${target.id} ${index}`);
    const call = { id, caller, linkBase: job.linkBase, body: searchBody(target, query) };
    try {
      const outcome = await services.search.run(call, signal);
      const web = outcome.byKind.get("web") ?? [];
      const named = web.map((result) => [nameOfResult(work, target, result.url).url, result] as const);
      for (const [name, result] of named.filter(([key]) => !results.has(key))) results.set(name, result);
      credits += outcome.creditsUsed;
      warning ??= outcome.warning;
    } catch (thrown) {
      signal.throwIfAborted();
      const isTold = thrown instanceof ServiceError && thrown.code !== "billing_unavailable";
      if (!isTold || ownFailure(thrown)) throw thrown;
      failure ??= thrown.message;
    }
  }
  return { results: [...results.values()].slice(0, target.maxResults), credits, warning, failure };
}

function searchBody(target: SearchTarget, query: string): object {
  const { maxResults: limit, searchWindow, includeDomains, excludeDomains } = target;
  const wanted = { query, limit, tbs: PERIODS[searchWindow], includeDomains, excludeDomains };
  return { ...wanted, ignoreInvalidURLs: true, highlights: false, origin: "monitor" };
}

interface SearchNote {
  readonly target: SearchTarget;
  readonly searched: Searched;
  /** Number of results that no earlier check met. */
  readonly fresh: number;
}

async function noteSearch(
  tx: Statements,
  { check: { id } }: CheckWork,
  { target, searched, fresh }: SearchNote,
): Promise<void> {
  const { results, credits, warning, failure } = searched;
  const now = await getCheck(tx, id);
  await changeCheck(tx, id, {
    extraCredits: (now?.extraCredits ?? 0) + credits,
    ...(failure !== undefined && { error: now?.error ?? failure }),
    ...(warning !== undefined && { warning: now?.warning ?? warning }),
  });
  await changeResult(tx, id, target.id, (): Partial<TargetResult> => ({
    searchCompleted: failure === undefined,
    resultCount: results.length,
    matches: 0,
    summary: `${results.length} results, ${fresh} of them new.`,
    searchCredits: credits,
    judgeCredits: 0,
    resultsJudged: 0,
  }));
}

/** UUID of a piece of a check's work. It is the same for each attempt, so that the piece is charged once. */
function idOfWork(checkId: string, piece: string): string {
  const hash = sha256Hex(`${checkId} ${piece}`);
  // Copies the time and version of the check's id, so that charges keep their order.
  return `${checkId.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
