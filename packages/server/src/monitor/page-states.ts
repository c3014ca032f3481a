import { decodeMembers } from "@pergamon-dev/kit/decode-members";
import { decodeInTurns } from "@pergamon-dev/kit/encode-members";
import { stableHash } from "@pergamon-dev/kit/hash";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import { inSteps } from "@pergamon-dev/kit/loop/in-turns";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import { OwnedBlobs } from "../storage/owned-blobs.ts";
import type { TeamData } from "../storage/team-data.ts";
import { packBlob, unpackBlob } from "../storage/stored-blob.ts";

export interface Snapshot {
  readonly markdown: string;
  /** Values of the `json` format. Undefined when it is not requested. */
  readonly json?: unknown;
}

/** Identifies a page. The same URL in two targets is two pages. */
export interface StateName {
  readonly monitorId: string;
  readonly targetId: string;
  readonly url: string;
}

/** State of a page from the last check that had it. */
export interface PageState {
  /** Undefined for search results, and for pages that are gone. */
  readonly blobId: string | undefined;
  /** Of the content in the blob. */
  readonly contentHash?: string | undefined;
  readonly scrapeId: string | undefined;
  /** Number of crawls in a row that have not met the page. */
  readonly missed: number;
}

export interface NewState extends PageState {
  readonly checkId: string;
}

const BLOB_FOLDER = "monitors";
const REMOVED_AT_ONCE = 100;
/** After this many crawls in a row that did not meet a page it is forgotten, even if it answers. */
const MAX_MISSED = 3;

/** Last content of the pages of monitors. It does not expire, because the next check compares with it. */
export class PageStates implements TeamData {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #blobs: OwnedBlobs;

  constructor({ database, blobs, clock }: { database: Database; blobs: BlobStore; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
    const owned = { folder: BLOB_FOLDER, database, table: "monitor_states", column: "blob_id" };
    this.#blobs = new OwnedBlobs({ ...owned, blobs });
  }

  async get(name: StateName): Promise<PageState | undefined> {
    const row = await this.#database
      .prepared<{
        blobId: string | null;
        contentHash: string | null;
        scrapeId: string | null;
        missed: number;
      }>(
        `SELECT blob_id AS "blobId", content_hash AS "contentHash", scrape_id AS "scrapeId", missed FROM monitor_states
         WHERE monitor_id = ? AND target_id = ? AND url_key = ?`,
      )
      .get(name.monitorId, name.targetId, keyOf(name));
    if (!row) return undefined;
    const { blobId, contentHash, scrapeId, missed } = row;
    return {
      blobId: blobId ?? undefined,
      contentHash: contentHash ?? undefined,
      scrapeId: scrapeId ?? undefined,
      missed,
    };
  }

  /** Undefined when the content is lost or damaged. */
  async read(blobId: string): Promise<Snapshot | undefined> {
    const blob = await this.#blobs.get(blobId);
    const content = blob && (await unpackBlob(blob).catch(() => undefined));
    return content && ((await decodeMembers(await decodeInTurns(content.body))) as unknown as Snapshot);
  }

  /** Stores the content of a page before the transaction that sets its state. @returns the blob's id. */
  async store(snapshot: Snapshot): Promise<string> {
    const id = uuidV7(this.#clock.now());
    await this.#blobs.put(id, await packBlob({ facts: "{}", body: Buffer.from(JSON.stringify(snapshot)) }));
    return id;
  }

  /** Deletes the blob of a previous state. Call this after the transaction that changed the state. */
  async discard(blobId: string | undefined): Promise<void> {
    if (blobId !== undefined) await this.#blobs.delete(blobId);
  }

  async set(tx: Statements, name: StateName, state: NewState): Promise<void> {
    await tx
      .prepared(
        `INSERT INTO monitor_states (monitor_id, target_id, url_key, url, blob_id, content_hash, scrape_id, missed,
           check_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (monitor_id, target_id, url_key) DO UPDATE SET blob_id = excluded.blob_id,
           content_hash = excluded.content_hash,           scrape_id = excluded.scrape_id, missed = excluded.missed, check_id = excluded.check_id`,
      )
      .run(
        name.monitorId,
        name.targetId,
        keyOf(name),
        name.url,
        state.blobId ?? null,
        state.contentHash ?? null,
        state.scrapeId ?? null,
        state.missed,
        state.checkId,
      );
  }

  /** Records that the page exists, although it could not be read. */
  async touch(tx: Statements, name: StateName, checkId: string): Promise<void> {
    await tx
      .prepared(
        `UPDATE monitor_states SET missed = 0, check_id = ?
         WHERE monitor_id = ? AND target_id = ? AND url_key = ?`,
      )
      .run(checkId, name.monitorId, name.targetId, keyOf(name));
  }

  async remove(tx: Statements, name: StateName): Promise<void> {
    await tx
      .prepared("DELETE FROM monitor_states WHERE monitor_id = ? AND target_id = ? AND url_key = ?")
      .run(name.monitorId, name.targetId, keyOf(name));
  }

  /**
   * Claims pages of a target that a check did not meet, each once per check. Pages that several checks in a
   * row did not meet are forgotten, because sites gain ever more pages that nothing links to.
   */
  async claimMissed(
    tx: Statements,
    { monitorId, targetId, checkId }: Omit<StateName, "url"> & { readonly checkId: string },
  ): Promise<readonly string[]> {
    const missed = await tx
      .prepared<{ url: string; missed: number }>(
        `UPDATE monitor_states SET missed = missed + 1, check_id = ?
         WHERE monitor_id = ? AND target_id = ? AND check_id <> ? RETURNING url, missed`,
      )
      .all(checkId, monitorId, targetId, checkId);
    await tx
      .prepared("DELETE FROM monitor_states WHERE monitor_id = ? AND target_id = ? AND missed > ?")
      .run(monitorId, targetId, MAX_MISSED);
    return missed.filter((page) => page.missed <= MAX_MISSED).map(({ url }) => url);
  }

  async count(statements: Statements, monitorId: string, targetId: string): Promise<number> {
    const row = await statements
      .prepared<{ count: number }>(
        "SELECT count(*) AS count FROM monitor_states WHERE monitor_id = ? AND target_id = ?",
      )
      .get(monitorId, targetId);
    return row?.count ?? 0;
  }

  /** Deletes states of deleted monitors, and blobs of a dead process whose state was never written. */
  async prune(): Promise<void> {
    await this.#removeStates("status = 'deleted'");
    await this.#blobs.removeOrphans(this.#clock.now());
  }

  async erase(teamId: string): Promise<void> {
    await this.#removeStates("team_id = ?", teamId);
  }

  async #removeStates(condition: string, ...values: readonly string[]): Promise<void> {
    await inSteps(REMOVED_AT_ONCE, async (count) => {
      const rows = await this.#database
        .prepared<{ blobId: string | null }>(
          `DELETE FROM monitor_states WHERE (monitor_id, target_id, url_key) IN
             (SELECT monitor_id, target_id, url_key FROM monitor_states
              JOIN monitors ON monitors.id = monitor_id WHERE ${condition} LIMIT ?)
           RETURNING blob_id AS "blobId"`,
        )
        .all(...values, count);
      for (const { blobId } of rows) await this.discard(blobId ?? undefined);
      return rows.length;
    });
  }
}

/** URLs can be long, so the key is a hash. */
function keyOf({ url }: StateName): string {
  return stableHash(url).slice(0, 32);
}
