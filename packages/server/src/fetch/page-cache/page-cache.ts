import { LRUCache } from "lru-cache";
import { withoutCredentials } from "@pergamon-dev/kit/url";
import { isUuid, uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import { BatchWriter } from "../../storage/database/batch-writer.ts";
import type { Database } from "../../storage/database/database.ts";
import type { Capture } from "../capture.ts";
import { contentHash, knownPage } from "../known-page.ts";
import {
  capturesOf,
  deleteCapture,
  insertCaptures,
  type NewCapture,
  oldestCaptures,
  renewCaptures,
  type Representation,
  sizesAfter,
  type StoredCapture,
  urlsOfHost,
} from "./capture-rows.ts";
import { type CacheBounds, type CacheScope, candidateQuery, captureName } from "./candidate-query.ts";
import { CaptureBlobs } from "./capture-blobs.ts";
import type { CaptureBytes } from "./small-captures.ts";
import { NewestCaptures } from "./newest-captures.ts";
import type { CacheKey } from "./page-cache-key.ts";
import { decodeCapture, encodeCapture } from "./stored-capture.ts";
import { setImmediate as nextTurn } from "node:timers/promises";

interface StoreFacts {
  readonly waitForMs: number;
  readonly teamId: string;
  /** Default: page. */
  readonly representation?: Representation;
  /** True: it waits some milliseconds for others, which are written together. */
  readonly isOfJob?: boolean | undefined;
  /** Of the capture, where it is known already. */
  readonly contentHash?: string | undefined;
}

type Renewal = Pick<StoredCapture, "captureId" | "confirmations">;

/** A capture that a team found unchanged. */
interface Found extends Renewal, Pick<StoreFacts, "teamId" | "isOfJob"> {}

/** Captures that are written together. */
interface Captures {
  readonly rows: NewCapture[];
  readonly small: CaptureBytes[];
  readonly renewed: Renewal[];
}

/** A stored capture that answers a request. */
interface CachedCapture extends StoredCapture {
  readonly capture: Capture;
}

/** Captures of earlier visits. Entries never change. Each store adds one. */
export interface PageCache {
  /** Returns the capture that answers. Undefined when there is none. */
  find(key: CacheKey, bounds: CacheBounds, signal?: AbortSignal): Promise<CachedCapture | undefined>;
  /** What the capture that `find` would load first is known by. */
  newest(key: CacheKey, bounds: CacheBounds): Promise<StoredCapture | undefined>;
  /**
   * Like `find`, but synchronous and only from memory. Undefined also when memory does not have the answer.
   */
  peek(
    key: CacheKey,
    bounds: CacheBounds,
  ): Pick<CachedCapture, "captureId" | "cachedAtMs" | "capture"> | undefined;
  /** Grows whenever this process stores or removes a capture. Earlier results may then be outdated. */
  readonly changes: number;
  /** @returns the id of the capture. */
  store(key: CacheKey, capture: Capture, facts: StoreFacts): Promise<string>;
  /** The team has found the page unchanged: it is as young as a new one. */
  renew(key: CacheKey, found: Found): Promise<void>;
  /**
   * Up to `count` addresses of a host's pages that the team itself has fetched. `host` has no leading `www.`.
   */
  pagesOf(host: string, teamId: string, count: number): Promise<readonly string[]>;
  /** Loads a capture by its id, as long as it is stored. */
  load(captureId: string): Promise<Capture | undefined>;
  /** Removes a capture for all teams. @returns whether it existed. */
  remove(captureId: string): Promise<boolean>;
  /** Removes captures that a team fetched, for all teams. */
  erase(teamId: string): Promise<void>;
  /**
   * Removes captures older than two years, then the oldest until the rest fits, and blobs without references.
   * Works in small steps between which requests run. `removed` counts captures.
   */
  prune(): Promise<{ readonly removed: number }>;
  /** Keeps nothing in memory of what is stored. */
  letGo(): void;
  close(): Promise<void>;
}

interface PageCacheOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Maximum size of all stored captures on disk, after pruning. */
  readonly maxBytes: number;
  readonly scope: CacheScope;
  readonly clock?: () => number;
}

/**
 * Size of recently stored or found bodies in memory, which save reading the disk. Other bodies cost reading a
 * file, and 0.3 ms per 100 KB to unpack it.
 */
const RECENT_BYTES = 4 * 1024 * 1024;
/** Approximate size of headers, URLs and the object itself. */
const FACTS_BYTES = 2048;

export function openPageCache(options: PageCacheOptions): PageCache {
  return new StoredPages(options);
}

class StoredPages implements PageCache {
  readonly #database: Database;
  readonly #blobs: CaptureBlobs;
  readonly #options: PageCacheOptions;
  readonly #scope: CacheScope;
  readonly #clock: () => number;
  readonly #newest: NewestCaptures;
  readonly #writer = new BatchWriter<Captures>(async (collect) => {
    const group: Captures = { rows: [], small: [], renewed: [] };
    const result = await collect(group);
    // A capture without bytes would be chosen, and bytes without a capture are removed later.
    await this.#blobs.putSmall(group.small);
    await insertCaptures(this.#database, group.rows);
    await renewCaptures(this.#database, group.renewed, this.#clock());
    return result;
  });
  readonly #recent = new LRUCache<string, Capture>({
    maxSize: RECENT_BYTES,
    sizeCalculation: ({ body, screenshot }) =>
      body.byteLength + (screenshot?.bytes.byteLength ?? 0) + FACTS_BYTES,
  });
  readonly #loading = new Map<string, Promise<Capture | undefined>>();
  #pruning: Promise<{ readonly removed: number }> | undefined;

  constructor(options: PageCacheOptions) {
    const { database, blobs, scope, clock = Date.now } = options;
    this.#database = database;
    this.#blobs = new CaptureBlobs({ blobs, database });
    this.#options = options;
    this.#scope = scope;
    this.#clock = clock;
    this.#newest = new NewestCaptures(database);
  }

  get changes(): number {
    return this.#newest.changes;
  }

  peek(key: CacheKey, bounds: CacheBounds) {
    if (bounds.maxAgeMs === 0) return undefined;
    const known = this.#newest.known(candidateQuery(key, bounds, this.#scope, this.#clock()));
    const chosen = this.#choose(known ?? [], bounds);
    const capture = chosen && this.#recent.get(chosen.captureId);
    if (!capture || bounds.accepts?.(capture) === false) return undefined;
    return { captureId: chosen.captureId, cachedAtMs: chosen.cachedAtMs, capture };
  }

  async find(key: CacheKey, bounds: CacheBounds, signal?: AbortSignal): Promise<CachedCapture | undefined> {
    signal?.throwIfAborted();
    if (bounds.maxAgeMs === 0) return undefined;
    return this.#firstThatAnswers(await this.#candidates(key, bounds), bounds);
  }

  async newest(key: CacheKey, bounds: CacheBounds): Promise<StoredCapture | undefined> {
    return this.#choose(await this.#candidates(key, bounds), bounds);
  }

  async #candidates(key: CacheKey, bounds: CacheBounds): Promise<readonly StoredCapture[]> {
    const query = candidateQuery(key, bounds, this.#scope, this.#clock());
    return this.#newest.known(query) ?? (await this.#newest.find(query));
  }

  async store(
    key: CacheKey,
    capture: Capture,
    { waitForMs, teamId, representation = "page", isOfJob = false, ...facts }: StoreFacts,
  ): Promise<string> {
    const cachedAtMs = this.#clock();
    const name = captureName(key, teamId, this.#scope);
    const captureId = uuidV7(cachedAtMs);
    const bytes = await encodeCapture(capture);
    const hash = representation === "page" ? (facts.contentHash ?? (await contentHash(capture))) : "";
    const row: NewCapture = {
      ...name,
      captureId,
      url: withoutCredentials(key.url),
      screenshot: key.screenshot,
      waitForMs,
      statusCode: capture.statusCode,
      sizeBytes: bytes.byteLength,
      representation,
      cachedAtMs,
      teamId,
      hasUnverifiedTls: capture.hasUnverifiedTls === true,
      contentHash: hash,
      hasValidator: hash !== "" && knownPage({ capture, confirmations: 0 }) ? 1 : 0,
    };
    const small = (await this.#blobs.putLarge({ captureId, bytes })) ? [] : [{ captureId, bytes }];
    await this.#write(isOfJob, (group) => {
      group.rows.push(row);
      group.small.push(...small);
    });
    this.#newest.forget(name);
    this.#recent.set(captureId, capture);
    return captureId;
  }

  async renew(key: CacheKey, { teamId, isOfJob = false, ...renewal }: Found): Promise<void> {
    await this.#write(isOfJob, (group) => group.renewed.push(renewal));
    this.#newest.forget(captureName(key, teamId, this.#scope));
  }

  #write(isOfJob: boolean, add: (group: Captures) => unknown): Promise<unknown> {
    const write = async (group: Captures) => add(group);
    return isOfJob ? this.#writer.orderInGroup(write, {}) : this.#writer.order(write);
  }

  pagesOf(host: string, teamId: string, count: number): Promise<readonly string[]> {
    return urlsOfHost(this.#database, teamId, host, count);
  }

  async load(captureId: string): Promise<Capture | undefined> {
    const known = this.#recent.get(captureId) ?? this.#loading.get(captureId);
    if (known || !isUuid(captureId)) return known;
    const loading = this.#read(captureId).finally(() => this.#loading.delete(captureId));
    this.#loading.set(captureId, loading);
    return loading;
  }

  async remove(captureId: string): Promise<boolean> {
    return isUuid(captureId) && this.#remove(captureId);
  }

  async erase(teamId: string): Promise<void> {
    for (const captureId of await capturesOf(this.#database, teamId)) await this.#remove(captureId);
  }

  async prune(): Promise<{ readonly removed: number }> {
    this.#pruning ??= this.#prune().finally(() => (this.#pruning = undefined));
    return this.#pruning;
  }

  letGo(): void {
    this.#recent.clear();
  }

  async close(): Promise<void> {
    await this.#pruning?.catch(() => undefined);
    this.letGo();
  }

  /** Skips damaged and incomplete entries, so that another one may answer. */
  async #firstThatAnswers(
    candidates: readonly StoredCapture[],
    bounds: CacheBounds,
  ): Promise<CachedCapture | undefined> {
    const chosen = this.#choose(candidates, bounds);
    if (!chosen) return undefined;
    const capture = await this.load(chosen.captureId);
    if (capture && bounds.accepts?.(capture) !== false) return { ...chosen, capture };
    const others = candidates.filter((candidate) => candidate !== chosen);
    return this.#firstThatAnswers(others, bounds);
  }

  #choose(candidates: readonly StoredCapture[], { readsFailures = false }: CacheBounds) {
    const chosen = chooseCapture(candidates);
    return chosen && (readsFailures || isLasting(chosen, this.#clock())) ? chosen : undefined;
  }

  async #read(captureId: string): Promise<Capture | undefined> {
    const blob = await this.#blobs.get(captureId);
    const capture = blob && (await decodeCapture(blob));
    if (capture) this.#recent.set(captureId, capture);
    else await this.#remove(captureId);
    return capture;
  }

  /** Deletes the row first. A blob without a row is found later, but a row without a blob would be chosen. */
  async #remove(captureId: string): Promise<boolean> {
    const wasThere = await deleteCapture(this.#database, captureId);
    this.#newest.forget();
    this.#recent.delete(captureId);
    await this.#blobs.delete(captureId);
    return wasThere;
  }

  async #prune(): Promise<{ readonly removed: number }> {
    const nowMs = this.#clock();
    const removed = await pruneCaptures({
      database: this.#database,
      maxBytes: this.#options.maxBytes,
      nowMs,
      remove: (captureId) => this.#remove(captureId),
    });
    await this.#blobs.tidy(nowMs);
    return { removed };
  }
}

/** Consecutive errors after which a page counts as failing. Its last error is then the answer. */
const ERRORS_THAT_COUNT = 3;

/** Lifetime of a response that a page does not exist or is forbidden. */
const REFUSAL_LASTS_MS = 10 * 60 * 1000;

/** Whether a stored response still tells how the site would respond. */
function isLasting({ statusCode, cachedAtMs }: StoredCapture, nowMs: number): boolean {
  if (statusCode === 429 || statusCode >= 500) return false;
  return statusCode < 400 || nowMs - cachedAtMs <= REFUSAL_LASTS_MS;
}

/** The newest success, unless at least three newer ones are errors or there is none. Then the newest. */
function chooseCapture(newestFirst: readonly StoredCapture[]): StoredCapture | undefined {
  const newerErrors = newestFirst.findIndex(({ statusCode }) => statusCode >= 200 && statusCode < 300);
  const isFailing = newerErrors === -1 || newerErrors >= ERRORS_THAT_COUNT;
  return newestFirst[isFailing ? 0 : newerErrors];
}

interface PruneTask {
  readonly database: Database;
  readonly maxBytes: number;
  readonly nowMs: number;
  /** Removes a capture with its blob. @returns whether it still existed. */
  readonly remove: (captureId: string) => Promise<boolean>;
}

/** Maximum age in lockdown: 730 days (contract, section 1.1). */
const MAX_AGE_MS = 63_072_000_000;
/** Captures removed between two pauses. */
const REMOVE_BATCH = 50;
/** Rows summed between two pauses, which takes about a millisecond. */
const SUM_BATCH = 5_000;

/**
 * Removes captures that are too old, then the oldest, until the rest fits.
 * @returns the number of removed captures.
 */
async function pruneCaptures(task: PruneTask): Promise<number> {
  let excessBytes = (await totalBytes(task.database)) - task.maxBytes;
  let removed = 0;
  for (;;) {
    const oldest = await oldestCaptures(task.database, REMOVE_BATCH);
    for (const { captureId, cachedAtMs, sizeBytes } of oldest) {
      if (excessBytes <= 0 && task.nowMs - cachedAtMs <= MAX_AGE_MS) return removed;
      if (await task.remove(captureId)) removed += 1;
      excessBytes -= sizeBytes;
    }
    if (oldest.length < REMOVE_BATCH) return removed;
    await nextTurn();
  }
}

async function totalBytes(database: Database): Promise<number> {
  let total = 0;
  let afterId = "";
  for (;;) {
    const { bytes, lastId } = await sizesAfter(database, afterId, SUM_BATCH);
    if (lastId === null) return total;
    total += bytes;
    afterId = lastId;
    await nextTurn();
  }
}
