import { LRUCache } from "lru-cache";

import type { Caller } from "../accounts/callers.ts";
import { uuidTimeMs } from "../kit/uuid.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";
import type { Work } from "../accounts/credits.ts";
import type { Answer } from "./answer/answer.ts";
import { rememberedAnswer } from "./remembered-answer.ts";
import { type ScrapeJob, startJob } from "./request/job.ts";
import { counted, highestCost, type RunServices } from "./run.ts";
import type { Scraped } from "./scrape.ts";
import { endOfSuccess, isKeptWithCharge, recordOfSuccess } from "./scrape-end.ts";

/** An answer whose every byte is known but its id. */
export interface ReadyAnswer {
  readonly job: ScrapeJob;
  readonly scraped: Scraped;
  /** What it costs at most, and how it ends: all but the id and the times. */
  readonly work: Work;
  readonly end: Required<Pick<WorkEnd, "credits" | "figure">> & { readonly record: ScrapeRecord };
  readonly encoded: EncodedAnswer;
}

/** An answer up to the facts of the single scrape, and these before and behind their id. */
interface EncodedAnswer {
  readonly parts: readonly Buffer[];
  readonly before: string;
  readonly behind: string;
}

/** What was found to be true for one caller, and how long it holds. */
interface Check {
  readonly ready: ReadyAnswer;
  readonly untilMs: number;
  readonly changes: number;
}

/** What the same body was answered. */
interface Entry {
  readonly answer: Answer;
  readonly encoded: EncodedAnswer;
  /** Callers are made again whenever something about their teams or keys may have changed. */
  readonly checks: WeakMap<Caller, Check>;
}

/** Captures and encoded answers that are held at most, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 2048;
/** Blocked sites, models and copies of other processes may have changed after so long. */
const CHECKED_MS = 50;

/**
 * Answers to bodies that were answered from memory a moment ago, as bytes. Each caller's first request, and each after a
 * change of the cache, takes all stages to the same answer; those that follow skip them.
 */
export class ReadyAnswers {
  readonly #services: RunServices;
  readonly #clock: () => number;
  readonly #entries = new LRUCache<object, Entry>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  readonly #seen = new WeakSet<object>();

  constructor(services: RunServices, clock: () => number = Date.now) {
    this.#services = services;
    this.#clock = clock;
  }

  /** Remembers what a body was answered, if that came from memory. @param body the same object for the same text. */
  async keep(body: unknown, job: ScrapeJob, { answer, facts, captureId }: Scraped): Promise<void> {
    if (typeof body !== "object" || body === null || !mayBeReady(job)) return;
    if (facts.cacheState !== "hit" || captureId === undefined || facts.concurrencyLimited) return;
    if (this.#entries.peek(body)?.answer === answer) return;
    // Bodies that are not remembered never come again as the same object.
    if (!this.#seen.has(body)) return void this.#seen.add(body);
    const parts = await answer.encode(facts);
    const factsAt = parts.length - 1;
    const [before, behind] = String(parts[factsAt]).split(facts.scrapeId);
    if (before === undefined || behind === undefined) return;
    const encoded = { parts: parts.slice(0, factsAt), before, behind };
    this.#entries.set(body, { answer, encoded, checks: new WeakMap() });
  }

  /** Undefined when all stages are needed: something is new, or would be refused. */
  find(body: object, caller: Caller): ReadyAnswer | undefined {
    const entry = this.#entries.get(body);
    if (!entry) return undefined;
    const nowMs = this.#clock();
    const { changes } = this.#services.cache;
    const known = entry.checks.get(caller);
    if (known && nowMs < known.untilMs && known.changes === changes) return known.ready;
    const ready = this.#check(body, caller, entry);
    if (!ready) {
      this.#entries.delete(body);
      return undefined;
    }
    entry.checks.set(caller, { ready, changes, untilMs: Math.min(nowMs + CHECKED_MS, endOf(ready)) });
    return ready;
  }

  /** Charges and records the answer as any other. @returns its bytes, in parts. @throws as `runScrape`. */
  async settle(ready: ReadyAnswer, id: string): Promise<readonly Buffer[]> {
    const { scraped, work, end, encoded } = ready;
    const { charges } = this.#services;
    const startedAtMs = this.#clock();
    await counted(this.#services, async () => {
      const hold = await charges.hold({ ...work, id, startedAtMs });
      const endedAtMs = this.#clock();
      const durationMs = endedAtMs - startedAtMs;
      await charges.charge(hold, {
        credits: end.credits,
        figure: { ...end.figure, endedAtMs, durationMs },
        record: () => ({ ...end.record, id, createdAtMs: startedAtMs, durationMs }),
      });
      return scraped;
    });
    return [...encoded.parts, Buffer.from(encoded.before + id + encoded.behind)];
  }

  #check(body: object, caller: Caller, { answer, encoded }: Entry): ReadyAnswer | undefined {
    try {
      const job = startJob(this.#services.plan(body), { caller, linkBase: "" });
      const scraped = mayBeReady(job) ? rememberedAnswer(job, this.#services) : undefined;
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
      // The full path reports why it is refused.
      return undefined;
    }
  }
}

/** Nothing that has to be found out, added or left out for the single request. */
function mayBeReady({ request, retention, threatPolicy }: ScrapeJob): boolean {
  const isPlain = !request.domainTools && request.auditMetadata === undefined;
  return isPlain && retention === "usual" && threatPolicy === undefined;
}

/** When the copy is too old for its request. */
function endOf({ job, scraped: { captureId } }: ReadyAnswer): number {
  const { maxAgeMs = Number.POSITIVE_INFINITY } = job.plan.cache;
  return captureId === undefined ? 0 : uuidTimeMs(captureId) + maxAgeMs;
}

function sizeOf({ answer: { capture }, encoded: { parts, before, behind } }: Entry): number {
  const encodedBytes = parts.reduce((sum, part) => sum + part.byteLength, before.length + behind.length);
  const { body, screenshot } = capture;
  return body.byteLength + (screenshot?.bytes.byteLength ?? 0) + encodedBytes + ENTRY_BYTES;
}
