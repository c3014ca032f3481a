import { LRUCache } from "lru-cache";

import type { Caller } from "../accounts/callers.ts";
import { uuidTimeMs } from "@pergamon-dev/kit/uuid";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";
import type { Work } from "../accounts/credits.ts";
import type { Answer } from "./answer/answer.ts";
import { type ScrapeJob, startJob } from "./request/job.ts";
import { cachedAnswer, counted, highestCost, outcomeOf, type RunServices } from "./run.ts";
import type { Scraped } from "./scrape.ts";
import { endOfSuccess, isKeptWithCharge, recordOfSuccess } from "./end.ts";

/** An answer with known bytes, except for its id. */
export interface CachedAnswer {
  readonly job: ScrapeJob;
  readonly scraped: Scraped;
  /** Its highest price and its end, without id and times. */
  readonly work: Work;
  readonly end: Required<Pick<WorkEnd, "credits" | "figure">> & { readonly record: ScrapeRecord };
  readonly encoded: EncodedAnswer;
}

/** The encoded answer: its parts, then the facts of a scrape before and after their id. */
interface EncodedAnswer {
  readonly parts: readonly Buffer[];
  readonly before: string;
  readonly behind: string;
  /** With an id. */
  readonly sizeBytes: number;
}

/** Result of a caller's check, and its expiry. */
interface Check {
  readonly cached: CachedAnswer;
  readonly untilMs: number;
  readonly changes: number;
}

interface Entry {
  readonly answer: Answer;
  readonly encoded: EncodedAnswer;
  /** A change of a team or key makes new `Caller` objects, so their checks start again. */
  readonly checks: WeakMap<Caller, Check>;
}

/** Limit for captures and encoded answers together. */
const MAX_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 2048;
/** Lifetime of a check. Blocked sites, models and the copies of other processes can change at any time. */
const CHECK_TTL_MS = 50;

/**
 * Encoded answers to repeated bodies. A caller's first request takes the usual path, and so does the first
 * one after a change of the page cache. Later requests get the same bytes with a new id.
 */
export class CachedAnswers {
  readonly #services: RunServices;
  readonly #clock: () => number;
  readonly #entries = new LRUCache<object, Entry>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  readonly #seen = new WeakSet<object>();

  constructor(services: RunServices, clock: () => number = Date.now) {
    this.#services = services;
    this.#clock = clock;
  }

  /** Keeps an answer that came from memory. @param body the same object for the same text. */
  async keep(body: unknown, job: ScrapeJob, { answer, facts, captureId }: Scraped): Promise<void> {
    if (typeof body !== "object" || body === null || !mayBeCached(job)) return;
    if (facts.cacheState !== "hit" || captureId === undefined || facts.concurrencyLimited) return;
    if (this.#entries.peek(body)?.answer === answer) return;
    // Only bodies that `http/body.ts` remembers come again as the same object.
    if (!this.#seen.has(body)) return void this.#seen.add(body);
    const parts = await answer.encode(facts);
    const factsAt = parts.length - 1;
    const [before, behind] = String(parts[factsAt]).split(facts.scrapeId);
    if (before === undefined || behind === undefined) return;
    const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const encoded = { parts: parts.slice(0, factsAt), before, behind, sizeBytes };
    this.#entries.set(body, { answer, encoded, checks: new WeakMap() });
  }

  /** Returns undefined when the request needs the usual path, because something is new or may be refused. */
  find(body: object, caller: Caller): CachedAnswer | undefined {
    const entry = this.#entries.get(body);
    if (!entry) return undefined;
    const nowMs = this.#clock();
    const { changes } = this.#services.cache;
    const known = entry.checks.get(caller);
    if (known && nowMs < known.untilMs && known.changes === changes) return known.cached;
    const cached = this.#check(body, caller, entry);
    if (!cached) {
      this.#entries.delete(body);
      return undefined;
    }
    entry.checks.set(caller, { cached, changes, untilMs: Math.min(nowMs + CHECK_TTL_MS, endOf(cached)) });
    return cached;
  }

  /**
   * Charges and records the answer like any other.
   * @returns a promise only when somebody pays. @throws as `runScrape`.
   */
  settle(cached: CachedAnswer, id: string): Promise<unknown> | undefined {
    const { scraped, end } = cached;
    const { charges, countScrape } = this.#services;
    const startedAtMs = this.#clock();
    const { payer, amount } = cached.work;
    const ended = { id, startedAtMs, payer, amount: end.credits };
    const record = (durationMs: number) => ({ ...end.record, id, createdAtMs: startedAtMs, durationMs });
    const figure = (endedAtMs: number) => ({ ...end.figure, endedAtMs, durationMs: endedAtMs - startedAtMs });
    if (charges.count(ended, { figure: figure(startedAtMs), record: record(0) })) {
      countScrape(outcomeOf(scraped));
      return undefined;
    }
    return counted(this.#services, async () => {
      const hold = await charges.hold({ ...ended, amount });
      const counting = figure(this.#clock());
      await charges.charge(hold, {
        credits: end.credits,
        figure: counting,
        record: () => record(counting.durationMs),
      });
      return scraped;
    });
  }

  #check(body: object, caller: Caller, { answer, encoded }: Entry): CachedAnswer | undefined {
    try {
      const job = startJob(this.#services.plan(body), { caller, linkBase: "" });
      const scraped = mayBeCached(job) ? cachedAnswer(job, this.#services) : undefined;
      if (scraped?.answer !== answer || !isKeptWithCharge(job, scraped)) return undefined;
      const amount = highestCost(job, this.#services);
      const { credits, figure } = endOfSuccess(job, scraped, undefined, this.#services);
      if (!figure) return undefined;
      const end = { credits, figure, record: recordOfSuccess(job, scraped, this.#services) };
      return {
        job,
        scraped,
        work: { id: job.id, startedAtMs: job.startedAtMs, payer: caller.payer, amount },
        end,
        encoded,
      };
    } catch {
      // The usual path reports the reason for the refusal.
      return undefined;
    }
  }
}

/** Whether the answer is independent of the single request. */
function mayBeCached({ request, retention, threatPolicy }: ScrapeJob): boolean {
  const isPlain = !request.domainTools && request.auditMetadata === undefined;
  return isPlain && retention === "usual" && threatPolicy === undefined;
}

/** Time at which the copy becomes too old for its request. */
function endOf({ job, scraped: { captureId } }: CachedAnswer): number {
  const { maxAgeMs = Number.POSITIVE_INFINITY } = job.plan.cache;
  return captureId === undefined ? 0 : uuidTimeMs(captureId) + maxAgeMs;
}

function sizeOf({ answer: { capture }, encoded: { sizeBytes } }: Entry): number {
  const { body, screenshot } = capture;
  return body.byteLength + (screenshot?.bytes.byteLength ?? 0) + sizeBytes + ENTRY_BYTES;
}
