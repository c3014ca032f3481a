import type { PageOutline } from "@pergamon-dev/html/selection/page-outline";
import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { limits } from "../api/limits.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import { chunksOf } from "../storage/database/chunks.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import { insertCollected, insertLater } from "../storage/database/insert-rows.ts";
import { OwnedBlobs, removeInSteps } from "../storage/owned-blobs.ts";
import { packBlob, unpackBlob } from "../storage/stored-blob.ts";

/** A saved answer counts as saved for this long without a look at the table. */
const REMEMBERED_MS = 60 * 60 * 1000;
/** An answer outlives all of its scrapes, even one that relied on the remembered save. */
const LIFE_MS = limits.keptMs.answers + REMEMBERED_MS;
const REMEMBERED_ANSWERS = 10_000;
/** Larger answers are packed. */
const MAX_BYTES_IN_ROW = 16 * 1024;
/** Larger packed answers become blobs. Creating a file takes several times as long as a row. */
const MAX_PACKED_BYTES = (MAX_BYTES_IN_ROW / 4) * 3;
const NO_BLOB = "";
/** Stands for the id of a blob that is in the row, in base64. */
const PACKED = "packed";
/** The folder keeps its original name, because existing blobs are in it. */
const BLOB_FOLDER = "documents";

/** Sets the expiry of stored answers, which may become earlier or later. */
export async function keepAnswers(tx: Statements, keys: readonly string[], untilMs: number): Promise<void> {
  await insertCollected(tx);
  for (const chunk of chunksOf(keys)) {
    const places = chunk.map(() => "?").join(", ");
    await tx
      .prepared(`UPDATE documents SET expires_at = ? WHERE document_key IN (${places})`)
      .run(untilMs, ...chunk);
  }
}

/** What equal answers are made from, and the links of the page. */
export interface AnswerSource {
  /** Equal for answers of one team that differ only in the facts of their scrapes. */
  readonly madeFrom: string;
  readonly outline: PageOutline | undefined;
}

/** An answer that is complete except for its row. */
interface PreparedAnswer extends Partial<AnswerSource> {
  readonly key: string;
  readonly blobId: string;
  /** Null when the answer is in a blob of its own. */
  readonly body: string | null;
  readonly sizeBytes: number;
}

/** JSON text in UTF-8, in parts, so that a large answer is not built in one turn of the event loop. */
export type AnswerParts = readonly Uint8Array[];

/** An answer as JSON text in UTF-8, and the links of its page. */
export interface MadeAnswer {
  readonly bytes: Uint8Array;
  readonly outline: PageOutline | undefined;
}

/** Answers of scrapes as JSON text. Equal answers share a key. */
export class StoredAnswers {
  readonly #database: Database;
  readonly #blobs: OwnedBlobs;
  readonly #clock: () => number;
  readonly #savedAtMs = new LRUCache<string, number>(atMost(REMEMBERED_ANSWERS));
  readonly #saving = new Map<string, Promise<void>>();

  constructor(database: Database, blobs: BlobStore, clock: () => number) {
    this.#database = database;
    this.#blobs = new OwnedBlobs({
      blobs,
      folder: BLOB_FOLDER,
      database,
      table: "documents",
      column: "blob_id",
    });
    this.#clock = clock;
  }

  /**
   * Saves the answer, or extends the life of the saved one. `write` is only called when the text is needed.
   */
  async save(key: string, write: () => Promise<AnswerParts>): Promise<void> {
    const rememberedMs = this.#savedAtMs.get(key);
    if (rememberedMs !== undefined && this.#clock() - rememberedMs < REMEMBERED_MS) return;
    const underWay = this.#saving.get(key);
    if (underWay) return underWay;
    const saving = this.#save(key, write).finally(() => this.#saving.delete(key));
    this.#saving.set(key, saving);
    return saving;
  }

  /**
   * Does the slow work before the transaction.
   * @returns a function that stores the answer in a transaction. Before that it cannot be read.
   */
  async prepare(
    key: string,
    parts: AnswerParts,
    source?: AnswerSource,
  ): Promise<(tx: Statements) => Promise<void>> {
    const nowMs = this.#clock();
    const prepared = { ...(await this.#prepare(key, parts, nowMs)), ...source };
    return (tx) => insertAnswer(tx, prepared, nowMs + LIFE_MS);
  }

  /** The answer, even while it is being saved; undefined when there is none. */
  async load(key: string): Promise<Uint8Array | undefined> {
    await this.#saving.get(key)?.catch(() => undefined);
    const row = await this.#database
      .prepared<{ blobId: string; body: string | null }>(
        'SELECT blob_id AS "blobId", body FROM documents WHERE document_key = ? AND expires_at > ?',
      )
      .get(key, this.#clock());
    if (!row) return undefined;
    if (row.blobId === NO_BLOB && row.body !== null) return Buffer.from(row.body);
    const blob = row.body === null ? await this.#blobs.get(row.blobId) : Buffer.from(row.body, "base64");
    const content = blob && (await unpackBlob(blob).catch(() => undefined));
    if (content) return content.body;
    await this.#remove(key, row.blobId);
    return undefined;
  }

  /** The newest answer that was made from this. */
  async madeFrom(madeFrom: string): Promise<MadeAnswer | undefined> {
    const row = await this.#database
      .prepared<{ key: string; outline: string | null }>(
        `SELECT document_key AS "key", outline FROM documents
         WHERE made_from = ? AND expires_at > ? ORDER BY expires_at DESC LIMIT 1`,
      )
      .get(madeFrom, this.#clock());
    const bytes = row && (await this.load(row.key));
    if (!bytes) return undefined;
    const outline = row.outline === null ? undefined : (JSON.parse(row.outline) as PageOutline);
    return { bytes, outline };
  }

  /** Deletes expired answers, and once a day blobs without a row. */
  async prune(): Promise<void> {
    const nowMs = this.#clock();
    const expired = this.#database.prepared<{ key: string; blobId: string }>(
      'SELECT document_key AS "key", blob_id AS "blobId" FROM documents WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
    );
    await removeInSteps(
      (limit) => expired.all(nowMs, limit),
      ({ key, blobId }) => this.#remove(key, blobId),
    );
    await this.#blobs.removeOrphans(nowMs);
  }

  /** Waits until pending saves have succeeded or failed. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#saving.values());
  }

  async #save(key: string, write: () => Promise<AnswerParts>): Promise<void> {
    const nowMs = this.#clock();
    const isSaved = await this.#database
      .prepared("UPDATE documents SET expires_at = ? WHERE document_key = ? AND expires_at > ?")
      .run(nowMs + LIFE_MS, key, nowMs);
    if (!isSaved) {
      const prepared = await this.#prepare(key, await write(), nowMs);
      await insertAnswer(this.#database, prepared, nowMs + LIFE_MS);
    }
    this.#savedAtMs.set(key, nowMs);
  }

  async #prepare(key: string, parts: AnswerParts, nowMs: number): Promise<PreparedAnswer> {
    const body = Buffer.concat(parts);
    if (body.byteLength <= MAX_BYTES_IN_ROW)
      return { key, blobId: NO_BLOB, body: body.toString(), sizeBytes: body.byteLength };
    const blob = await packBlob({ facts: "", body });
    if (blob.byteLength <= MAX_PACKED_BYTES) {
      const inRow = Buffer.from(blob).toString("base64");
      return { key, blobId: PACKED, body: inRow, sizeBytes: inRow.length };
    }
    const blobId = uuidV7(nowMs);
    await this.#blobs.put(blobId, blob);
    return { key, blobId, body: null, sizeBytes: blob.byteLength };
  }

  /** Deletes only this version, because the key may have a newer one by now. */
  async #remove(key: string, blobId: string): Promise<void> {
    this.#savedAtMs.delete(key);
    await this.#database
      .prepared("DELETE FROM documents WHERE document_key = ? AND blob_id = ?")
      .run(key, blobId);
    if (blobId !== NO_BLOB && blobId !== PACKED) await this.#blobs.delete(blobId);
  }
}

const ANSWERS = {
  into: "documents (document_key, blob_id, size_bytes, expires_at, body, made_from, outline)",
  row: "(?, ?, ?, ?, ?, ?, ?)",
  ending: `ON CONFLICT (document_key) DO UPDATE SET blob_id = excluded.blob_id, size_bytes = excluded.size_bytes,
    expires_at = excluded.expires_at, body = excluded.body`,
};

async function insertAnswer(
  statements: Statements,
  { key, blobId, body, sizeBytes, madeFrom, outline }: PreparedAnswer,
  untilMs: number,
): Promise<void> {
  const links = outline ? JSON.stringify(outline) : null;
  await insertLater(statements, ANSWERS, [[key, blobId, sizeBytes, untilMs, body, madeFrom ?? null, links]]);
}
