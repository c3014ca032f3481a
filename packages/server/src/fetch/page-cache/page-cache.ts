import { LRUCache } from "lru-cache";

import { withoutCredentials } from "@pergamon-dev/kit/url";
import { isUuid, uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import type { Database } from "../../storage/database/database.ts";
import type { Capture } from "../capture.ts";
import {
  capturesOf,
  deleteCapture,
  insertCapture,
  type Representation,
  type StoredCapture,
  urlsOfHost,
} from "./capture-rows.ts";
import { type CacheBounds, type CacheScope, candidateQuery, captureName } from "./candidate-query.ts";
import { CaptureBlobs } from "./capture-blobs.ts";
import { NewestCaptures } from "./newest-captures.ts";
import type { CacheKey } from "./page-cache-key.ts";
import { pruneCaptures } from "./page-cache-pruning.ts";
import { decodeCapture, encodeCapture } from "./stored-capture.ts";

/** How a page was got. */
interface StoreFacts {
  readonly waitForMs: number;
  readonly teamId: string;
  /** Default: page. */
  readonly representation?: Representation;
}

/** A stored capture that answers a request. */
interface CachedCapture extends StoredCapture {
  readonly capture: Capture;
}

/** Captures of earlier visits. Entries are never changed: each store adds one. */
export interface PageCache {
  /** The capture that answers; undefined when there is none. */
  find(key: CacheKey, bounds: CacheBounds, signal?: AbortSignal): Promise<CachedCapture | undefined>;
  /** As `find`, but from memory and at once. Undefined also when that does not know. */
  peek(
    key: CacheKey,
    bounds: CacheBounds,
  ): Pick<CachedCapture, "captureId" | "cachedAtMs" | "capture"> | undefined;
  /** Grows whenever a capture is stored or removed in this process: what was found before may be another one now. */
  readonly changes: number;
  /** @returns the id of the capture. */
  store(key: CacheKey, capture: Capture, facts: StoreFacts): Promise<string>;
  /** Addresses of a host's pages that the team itself has fetched, at most so many. `host` has no leading `www.`. */
  pagesOf(host: string, teamId: string, count: number): Promise<readonly string[]>;
  /** A capture by its id, as long as it is kept. */
  load(captureId: string): Promise<Capture | undefined>;
  /** Removes one for all. @returns whether there was one. */
  remove(captureId: string): Promise<boolean>;
  /** Removes what a team had fetched, for all. */
  erase(teamId: string): Promise<void>;
  /**
   * Removes captures older than two years, then the oldest until the rest fits, and blobs that nothing points to.
   * Works in small steps between which requests run. `removed` counts captures.
   */
  prune(): Promise<{ readonly removed: number }>;
  close(): Promise<void>;
}

interface PageCacheOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Size of all stored captures together, on disk, after pruning. */
  readonly maxBytes: number;
  readonly scope: CacheScope;
  readonly clock?: () => number;
}

/**
 * Bodies of captures that were just stored or found: a page asked for again reads no disk. One that is not among them
 * costs reading a file and 0.3 ms per 100 KB to unpack it.
 */
const RECENT_BYTES = 16 * 1024 * 1024;
/** Headers, URLs and the object itself, roughly. */
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
    const query = candidateQuery(key, bounds, this.#scope, this.#clock());
    return this.#firstThatAnswers(this.#newest.known(query) ?? (await this.#newest.find(query)), bounds);
  }

  async store(
    key: CacheKey,
    capture: Capture,
    { waitForMs, teamId, representation = "page" }: StoreFacts,
  ): Promise<string> {
    const cachedAtMs = this.#clock();
    const name = captureName(key, teamId, this.#scope);
    const captureId = uuidV7(cachedAtMs);
    const blob = await encodeCapture(capture);
    await this.#blobs.put(captureId, blob);
    await insertCapture(this.#database, {
      ...name,
      captureId,
      url: withoutCredentials(key.url),
      screenshot: key.screenshot,
      waitForMs,
      statusCode: capture.statusCode,
      sizeBytes: blob.byteLength,
      representation,
      cachedAtMs,
      teamId,
      hasUnverifiedTls: capture.hasUnverifiedTls === true,
    });
    this.#newest.forget(name);
    this.#recent.set(captureId, capture);
    return captureId;
  }

  pagesOf(host: string, teamId: string, count: number): Promise<readonly string[]> {
    return urlsOfHost(this.#database, teamId, host, count);
  }

  async load(captureId: string): Promise<Capture | undefined> {
    const recent = this.#recent.get(captureId);
    if (recent) return recent;
    if (!isUuid(captureId)) return undefined;
    const underWay = this.#loading.get(captureId);
    if (underWay) return underWay;
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
    this.#pruning ??= this.#prune().finally(() => {
      this.#pruning = undefined;
    });
    return this.#pruning;
  }

  async close(): Promise<void> {
    await this.#pruning?.catch(() => undefined);
    this.#recent.clear();
  }

  /** A damaged entry counts as none, as one that lacks something: another one may be chosen. */
  async #firstThatAnswers(
    candidates: readonly StoredCapture[],
    bounds: CacheBounds,
  ): Promise<CachedCapture | undefined> {
    const chosen = this.#choose(candidates, bounds);
    if (!chosen) return undefined;
    const capture = await this.load(chosen.captureId);
    if (capture && bounds.accepts?.(capture) !== false) return { ...chosen, capture };
    return this.#firstThatAnswers(
      candidates.filter((candidate) => candidate !== chosen),
      bounds,
    );
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

  /** The row first: a blob without a row is found later, a row without a blob would be chosen. */
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

/** A page that fails this often in a row counts as failing: its last error is the answer. */
const ERRORS_THAT_COUNT = 3;

/** How long a page that is not there, or not for us, is believed to stay so. */
const REFUSAL_LASTS_MS = 10 * 60 * 1000;

/** Whether a stored answer of a site still tells what the site would answer. */
function isLasting({ statusCode, cachedAtMs }: StoredCapture, nowMs: number): boolean {
  if (statusCode === 429 || statusCode >= 500) return false;
  return statusCode < 400 || nowMs - cachedAtMs <= REFUSAL_LASTS_MS;
}

/** The newest success, unless at least three newer ones are errors or there is none: then the newest. */
function chooseCapture(newestFirst: readonly StoredCapture[]): StoredCapture | undefined {
  const newerErrors = newestFirst.findIndex(({ statusCode }) => statusCode >= 200 && statusCode < 300);
  const isFailing = newerErrors === -1 || newerErrors >= ERRORS_THAT_COUNT;
  return newestFirst[isFailing ? 0 : newerErrors];
}
