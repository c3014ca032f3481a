import { sha256Hex } from "../../kit/hash.ts";
import { ServiceError } from "../../contract/errors.ts";
import type { Statements } from "../../platform/database/database.ts";
import type { EngineResult } from "../../platform/search-engines/search-engine.ts";
import { runSearch } from "../search/run-search.ts";
import { changeCheck, getCheck } from "./check-rows.ts";
import { type CheckWork, endStep } from "./check-work.ts";
import type { MonitorServices } from "./monitor-services.ts";
import type { SearchTarget } from "./monitor-targets.ts";
import type { Finding } from "./page-finding.ts";
import { changeResult, type TargetResult } from "./target-results.ts";
import { writeFinding } from "./write-finding.ts";

/** The shortest period that engines know which holds the window. */
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
  /** Why a query failed. */
  readonly failure: string | undefined;
}

/** Runs the searches of a target. Results that no earlier check met are new. */
export async function searchTarget(
  work: CheckWork,
  target: SearchTarget,
  services: MonitorServices,
): Promise<void> {
  const searched = await searchAll(work, target, services);
  const findings = await Promise.all(
    searched.results.map((result) => findResult(work, { target, result }, services)),
  );
  await endStep(work, services, async (inside) => {
    for (const finding of findings) await writeFinding(inside, work, finding, services);
    await noteSearch(inside, work, { target, searched, findings });
  });
}

/** Ends the searches of a target that failed three times. */
export async function giveUpSearch(
  work: CheckWork,
  target: SearchTarget,
  failure: string,
  services: MonitorServices,
): Promise<void> {
  const searched: Searched = { results: [], credits: 0, warning: undefined, failure };
  await endStep(work, services, (inside) => noteSearch(inside, work, { target, searched, findings: [] }));
}

/** One query after the other. What a failed one would have found is missing; the others count. */
async function searchAll(
  work: CheckWork,
  target: SearchTarget,
  services: MonitorServices,
): Promise<Searched> {
  const { run, check, signal } = work;
  const caller = await services.callers.ofWork(run);
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
    const call = { id, caller, linkBase: run.linkBase, body: searchBody(target, query) };
    try {
      const outcome = await runSearch(call, services.search, signal);
      const fresh = (outcome.byKind.get("web") ?? []).filter(({ url }) => !results.has(url));
      for (const result of fresh) results.set(result.url, result);
      credits += outcome.creditsUsed;
      warning ??= outcome.warning;
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof ServiceError) || thrown.code === "billing_unavailable") throw thrown;
      failure ??= thrown.message;
    }
  }
  return { results: [...results.values()], credits, warning, failure };
}

function searchBody(target: SearchTarget, query: string): object {
  const { maxResults: limit, searchWindow, includeDomains, excludeDomains } = target;
  return { query, limit, tbs: PERIODS[searchWindow], includeDomains, excludeDomains, origin: "monitor" };
}

async function findResult(
  { check }: CheckWork,
  { target, result }: { readonly target: SearchTarget; readonly result: EngineResult },
  { states }: MonitorServices,
): Promise<Finding> {
  const { url, title, description, date } = result;
  const name = { monitorId: check.monitorId, targetId: target.id, url };
  const isKnown = (await states.get(name)) !== undefined;
  const metadata = JSON.stringify({ title, description, ...(date !== undefined && { date }) });
  return {
    name,
    page: { targetId: target.id, url, status: isKnown ? "same" : "new", metadata },
    state: { blobId: undefined, scrapeId: undefined, checkId: check.id },
  };
}

interface SearchNote {
  readonly target: SearchTarget;
  readonly searched: Searched;
  readonly findings: readonly Finding[];
}

async function noteSearch(
  inside: Statements,
  { check: { id } }: CheckWork,
  { target, searched, findings }: SearchNote,
): Promise<void> {
  const { credits, warning, failure } = searched;
  const now = await getCheck(inside, id);
  const fresh = findings.filter(({ page }) => page?.status === "new").length;
  await changeCheck(inside, id, {
    extraCredits: (now?.extraCredits ?? 0) + credits,
    ...(failure !== undefined && { error: now?.error ?? failure }),
    ...(warning !== undefined && { warning: now?.warning ?? warning }),
  });
  await changeResult(inside, id, target.id, (): Partial<TargetResult> => ({
    searchCompleted: failure === undefined,
    resultCount: findings.length,
    matches: 0,
    summary: `${findings.length} results, ${fresh} of them new.`,
    searchCredits: credits,
    judgeCredits: 0,
    resultsJudged: 0,
  }));
}

/** A UUID of a piece of the work of a check: the same for each attempt, so that it is charged once. */
function idOfWork(checkId: string, piece: string): string {
  const hash = sha256Hex(`${checkId} ${piece}`);
  // The time and version of the check, so that charges keep their order.
  return `${checkId.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
