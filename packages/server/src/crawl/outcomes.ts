import { setImmediate as nextTurn } from "node:timers/promises";

import type { ReadSitemap } from "../fetch/site/sitemaps.ts";
import type { Refusal } from "../fetch/urls/scope.ts";
import { STOPPED } from "../jobs/page-rows.ts";
import type { Job } from "../jobs/job-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import { type Crawl, UrlState } from "./frontier.ts";

/** What became of an address that waits for no visit. */
export interface Outcome {
  readonly kind:
    | "document"
    | "blocked"
    | "redirected"
    | "duplicate"
    | "error"
    | "robots"
    | "pattern"
    | "path"
    | "depth"
    | "external"
    | "file"
    | "trap"
    | "limit";
  /**
   * Where it leads, the code of the error, the rule of robots.txt or the pattern, the status of a document that
   * is an error, what answered instead of the page; for a duplicate `canonical`, `content` or `spelling` and the
   * address of its document.
   */
  readonly detail?: string | undefined;
}

type OutcomeName = Outcome["kind"] | "waiting" | "visiting" | "credits" | "cancelled" | "failed";

/** Names of `detail` in answers. */
const DETAILS: Partial<Record<OutcomeName, string>> = {
  redirected: "to",
  error: "code",
  robots: "rule",
  pattern: "rule",
};

const KINDS = { host: "external", "external-home": "external", scheme: "external", kind: "file" } as const;

/** @param rule of robots.txt or pattern, where these refuse. */
export function outcomeOf(why: Refusal, rule?: string): Outcome {
  const kind = why in KINDS ? KINDS[why as keyof typeof KINDS] : (why as Outcome["kind"]);
  return { kind, detail: rule };
}

/** How many addresses a crawl has seen, by what became of them. */
interface OutcomeCounts {
  readonly seen: number;
  readonly outcomes: Partial<Record<OutcomeName, number>>;
  /** Links beyond those that are listed, which may name the same address twice. */
  readonly unlisted: number;
}

interface Row {
  readonly sequence: number;
  readonly url: string;
  readonly depth: number;
  readonly state: number;
  readonly outcome: Outcome["kind"] | null;
  readonly detail: string | null;
}

const MAX_ORIGINS = 1000;
/** Numbers that are counted between two turns of the event loop. */
const COUNTED_AT_ONCE = 20_000;

export async function countOutcomes(
  statements: Statements,
  { number }: Crawl,
  job: Pick<Job, "state" | "warnings">,
): Promise<OutcomeCounts> {
  const totals = await statements
    .prepared<{ found: number; unlisted: number }>("SELECT found, unlisted FROM crawls WHERE number = ?")
    .get(number);
  const { found = 0, unlisted = 0 } = totals ?? {};
  const outcomes: Partial<Record<OutcomeName, number>> = {};
  let seen = 0;
  for (let from = 0; from < found; from += COUNTED_AT_ONCE) {
    const rows = await statements
      .prepared<Pick<Row, "state" | "outcome"> & { count: number }>(
        `SELECT state, outcome, COUNT(*) AS count FROM crawl_urls
         WHERE crawl = ? AND sequence >= ? AND sequence < ? GROUP BY state, outcome`,
      )
      .all(number, from, from + COUNTED_AT_ONCE);
    for (const { count, ...row } of rows) {
      const name = nameOf(row, job);
      outcomes[name] = (outcomes[name] ?? 0) + count;
      seen += count;
    }
    await nextTurn();
  }
  return { seen, outcomes, unlisted };
}

/**
 * Addresses in the order in which they were found, as lines of JSON. Before the first come the counts and the
 * origins.
 * @param after number of the last address of the page before; -1 for the first page.
 */
export async function receiptOf(
  statements: Statements,
  crawl: Crawl,
  job: Pick<Job, "state" | "warnings">,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ readonly lines: readonly string[]; readonly next: number | undefined }> {
  const rows = await statements
    .prepared<Row>(
      `SELECT sequence, url, depth, state, outcome, detail FROM crawl_urls
       WHERE crawl = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
    )
    .all(crawl.number, after, limit + 1);
  const shown = rows.slice(0, limit);
  const lines = shown.map((row) => {
    const outcome = nameOf(row, job);
    return { type: "address", url: row.url, depth: row.depth, outcome, ...detailOf(outcome, row) };
  });
  const head: readonly object[] =
    after < 0
      ? [
          { type: "summary", ...(await countOutcomes(statements, crawl, job)) },
          ...(await originsOf(statements, crawl)),
        ]
      : [];
  return {
    lines: [...head, ...lines].map((line) => JSON.stringify(line)),
    next: rows.length > limit ? shown.at(-1)?.sequence : undefined,
  };
}

function detailOf(outcome: OutcomeName, { detail }: Pick<Row, "detail">): object {
  if (detail === null) return {};
  const [why = "", of] = detail.split(" ");
  if (outcome === "duplicate") return { of, why };
  if (outcome === "blocked") return { why, system: of };
  if (outcome === "document") return { status: Number(detail) };
  const name = DETAILS[outcome];
  return name === undefined ? {} : { [name]: detail };
}

/** What waits when a crawl ends was not visited because of that end. */
function nameOf(
  { state, outcome }: Pick<Row, "state" | "outcome">,
  { state: jobState, warnings }: Pick<Job, "state" | "warnings">,
): OutcomeName {
  if (state === UrlState.document) return outcome ?? "document";
  if (outcome !== null) return outcome;
  if (jobState === "scraping") return state === UrlState.taken ? "visiting" : "waiting";
  if (jobState !== "completed") return jobState;
  return warnings.includes(STOPPED) ? "credits" : "limit";
}

/** `ignored`: the crawl does not ask for robots.txt. */
export type RobotsState = "found" | "missing" | "unreachable" | "ignored";

export interface Origin {
  readonly origin: string;
  readonly robots: RobotsState;
  /** Undefined: they were not read. */
  readonly sitemaps?: readonly ReadSitemap[] | undefined;
}

export async function noteOrigin(
  tx: Statements,
  { number }: Crawl,
  { origin, robots, sitemaps }: Origin,
): Promise<void> {
  const kept = sitemaps ? "excluded.sitemaps" : "crawl_origins.sitemaps";
  await tx
    .prepared(
      `INSERT INTO crawl_origins (crawl, origin, robots, sitemaps) VALUES (?, ?, ?, ?)
       ON CONFLICT (crawl, origin) DO UPDATE SET robots = excluded.robots, sitemaps = ${kept}`,
    )
    .run(number, origin, robots, JSON.stringify(sitemaps ?? []));
}

/** The origins that were asked for robots.txt or sitemaps. */
async function originsOf(statements: Statements, { number }: Crawl): Promise<readonly object[]> {
  const rows = await statements
    .prepared<{ origin: string; robots: RobotsState; sitemaps: string }>(
      `SELECT origin, robots, sitemaps FROM crawl_origins WHERE crawl = ? ORDER BY origin LIMIT ${MAX_ORIGINS}`,
    )
    .all(number);
  return rows.map(({ sitemaps, ...row }) => ({
    type: "origin",
    ...row,
    sitemaps: JSON.parse(sitemaps) as readonly ReadSitemap[],
  }));
}
