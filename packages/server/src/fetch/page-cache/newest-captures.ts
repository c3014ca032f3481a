import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { readTogether } from "../../storage/database/batch-writer.ts";
import type { Database } from "../../storage/database/database.ts";
import {
  type CandidateQuery,
  type CaptureName,
  newestCandidates,
  type StoredCapture,
} from "./capture-rows.ts";

/** Delay until captures of other processes become visible. */
const REMEMBERED_MS = 1_000;
/** Keys that are asked for again within that time. Others would only wait for their place to be taken. */
const REMEMBERED_KEYS = 1000;

/** Remembers the candidates of frequent keys, to avoid a database query each time. */
export class NewestCaptures {
  readonly #database: Database;
  readonly #remembered = new LRUCache<string, readonly StoredCapture[]>({
    ...atMost(REMEMBERED_KEYS),
    ttl: REMEMBERED_MS,
  });
  readonly #newest = readTogether((queries: readonly CandidateQuery[]) =>
    newestCandidates(this.#database, queries),
  );
  /** Grows with every change, so that a result read before a change is not remembered after it. */
  #changes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  get changes(): number {
    return this.#changes;
  }

  /** Like `find`, but only from memory. Undefined when memory does not have the answer. */
  known(query: CandidateQuery): readonly StoredCapture[] | undefined {
    if (!isCommon(query)) return undefined;
    const newest = this.#remembered.get(memoryKey(query, query.needsTrust));
    return newest && youngEnough(newest, query);
  }

  /** The newest captures that may answer, newest first. */
  async find(query: CandidateQuery): Promise<readonly StoredCapture[]> {
    if (!isCommon(query)) return this.#newest(query);
    const changes = this.#changes;
    const newest = await this.#newest({ ...query, oldestMs: 0 });
    if (changes === this.#changes) this.#remembered.set(memoryKey(query, query.needsTrust), newest);
    return youngEnough(newest, query);
  }

  /** Must be called after a change of the table, for the captures of one name or for all. */
  forget(name?: CaptureName): void {
    this.#changes += 1;
    if (!name) return this.#remembered.clear();
    for (const needsTrust of [true, false]) this.#remembered.delete(memoryKey(name, needsTrust));
  }
}

function memoryKey({ scope, keyHash }: CaptureName, needsTrust: boolean): string {
  return `${keyHash} ${needsTrust} ${scope}`;
}

function youngEnough(
  newestFirst: readonly StoredCapture[],
  { oldestMs }: CandidateQuery,
): readonly StoredCapture[] {
  const oldest = newestFirst.at(-1);
  if (!oldest || oldest.cachedAtMs >= oldestMs) return newestFirst;
  return newestFirst.filter(({ cachedAtMs }) => cachedAtMs >= oldestMs);
}

/**
 * Queries with no condition but age. The newest of all captures are then also the newest that are young
 * enough.
 */
function isCommon(query: CandidateQuery): boolean {
  const { newestMs, oldestScreenshotMs, leastWaitForMs, screenshot } = query;
  const isUnbounded = newestMs === Number.MAX_SAFE_INTEGER && oldestScreenshotMs === 0;
  return isUnbounded && leastWaitForMs === 0 && screenshot === "none";
}
