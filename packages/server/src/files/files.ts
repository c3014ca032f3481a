import { createHmac, timingSafeEqual } from "node:crypto";
import type { Readable } from "node:stream";

import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobPart, BlobStore } from "../storage/blobs/blob-store.ts";
import type { Database } from "../storage/database/database.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import { FILE_EXTENSIONS, type FileContent, type FileType } from "../storage/blobs/file-content.ts";
import { OwnedBlobs, removeInSteps } from "../storage/owned-blobs.ts";

/** Parts of a link, which are untrusted input. */
export interface FileLink {
  /** Last segment of the path: key, dot, extension. */
  readonly name: string;
  readonly expires: string;
  readonly signature: string;
}

/** A file behind a link. Nothing is loaded before `read`. */
export interface LinkedFile {
  readonly contentType: FileType;
  readonly sizeBytes: number;
  /**
   * Reads the file or a part of it; undefined when it is gone. A caller that does not read to the end must
   * destroy the stream.
   */
  read(part?: BlobPart): Promise<Readable | undefined>;
}

/** Files behind links that need no key and expire (contract, section 2.5). */
export interface Files {
  /**
   * Stores the file for a team and makes a link to it: a path with a query, which the caller appends to the
   * public base URL.
   * @param sinceMs Unix time at which the life of the link begins; default: now. The same file with the same
   * life always gets the same link. A life that is already over gets a link too, but nothing is stored.
   */
  link(file: FileContent, lifeMs: number, teamId: string, sinceMs?: number): Promise<string>;
  /** Undefined when the service never made this link. */
  open(link: FileLink): Promise<LinkedFile | "expired" | undefined>;
  /** Deletes all files of a team. Its links stop working. */
  erase(teamId: string): Promise<void>;
  /** Deletes files whose links have all expired, in small steps. */
  prune(): Promise<void>;
}

interface FilesOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly clock?: () => number;
}

interface OwnedFile extends FileContent {
  readonly fileKey: string;
  readonly teamId: string;
}

/** Path prefix of the links. */
export const FILES_PATH = "/v2/files";

/**
 * A file is kept this much longer than its links, so that links which are made a little later need no look at
 * the table.
 */
const SPARE_LIFE_MS = 60 * 60 * 1000;
const REMEMBERED_FILES = 10_000;
const BLOB_FOLDER = "files";

export function openFiles(options: FilesOptions): Files {
  return new LinkedFiles(options);
}

class LinkedFiles implements Files {
  readonly #database: Database;
  readonly #blobs: OwnedBlobs;
  readonly #clock: () => number;
  readonly #nameKey: Buffer;
  readonly #linkKeys: readonly [Buffer, ...Buffer[]];
  /** File key → Unix time until which the file is certainly kept. */
  readonly #keptUntilMs = new LRUCache<string, number>(atMost(REMEMBERED_FILES));

  constructor({ database, blobs, secrets, clock = Date.now }: FilesOptions) {
    this.#database = database;
    this.#blobs = new OwnedBlobs({ blobs, folder: BLOB_FOLDER, database, table: "files", column: "blob_id" });
    this.#clock = clock;
    [this.#nameKey] = secrets.keysFor("file names");
    this.#linkKeys = secrets.keysFor("file links");
  }

  async link(content: FileContent, lifeMs: number, teamId: string, sinceMs = this.#clock()): Promise<string> {
    const { bytes, contentType } = content;
    const owner = JSON.stringify([teamId, contentType]);
    const fileKey = createHmac("sha256", this.#nameKey).update(owner).update(bytes).digest("hex");
    const expiresAtMs = sinceMs + lifeMs;
    const isOver = expiresAtMs <= this.#clock();
    if (!isOver && (this.#keptUntilMs.get(fileKey) ?? 0) < expiresAtMs) {
      await this.#keep({ fileKey, teamId, ...content }, expiresAtMs + SPARE_LIFE_MS);
    }
    const expires = String(expiresAtMs);
    const name = `${fileKey}.${FILE_EXTENSIONS[contentType]}`;
    const signature = sign(this.#linkKeys[0], name, expires);
    return `${FILES_PATH}/${name}?expires=${expires}&signature=${signature}`;
  }

  async open({ name, expires, signature }: FileLink): Promise<LinkedFile | "expired" | undefined> {
    if (!this.#linkKeys.some((key) => isSame(signature, sign(key, name, expires)))) return undefined;
    if (Number(expires) <= this.#clock()) return "expired";
    const row = await this.#database
      .prepared<{ blobId: string; contentType: FileType; sizeBytes: number }>(
        `SELECT blob_id AS "blobId", content_type AS "contentType", size_bytes AS "sizeBytes"
         FROM files WHERE file_key = ?`,
      )
      .get(name.slice(0, name.indexOf(".")));
    if (!row) return undefined;
    const { blobId, contentType, sizeBytes } = row;
    const read = (part?: BlobPart) => this.#blobs.read(blobId, part);
    return { contentType, sizeBytes, read };
  }

  async erase(teamId: string): Promise<void> {
    const rows = await this.#database
      .prepared<{ fileKey: string; blobId: string }>(
        'SELECT file_key AS "fileKey", blob_id AS "blobId" FROM files WHERE team_id = ?',
      )
      .all(teamId);
    for (const { fileKey, blobId } of rows) await this.#remove(fileKey, blobId);
  }

  async prune(): Promise<void> {
    const nowMs = this.#clock();
    const expired = this.#database.prepared<{ fileKey: string; blobId: string }>(
      'SELECT file_key AS "fileKey", blob_id AS "blobId" FROM files WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
    );
    await removeInSteps(
      (limit) => expired.all(nowMs, limit),
      ({ fileKey, blobId }) => this.#remove(fileKey, blobId),
    );
    await this.#blobs.removeOrphans(nowMs);
  }

  /** Stores the file, or extends the life of the stored one. */
  async #keep(file: OwnedFile, untilMs: number): Promise<void> {
    const { fileKey } = file;
    const isKept = await this.#database
      .prepared(
        `UPDATE files SET expires_at = CASE WHEN expires_at > ? THEN expires_at ELSE ? END
         WHERE file_key = ? AND expires_at > ?`,
      )
      .run(untilMs, untilMs, fileKey, this.#clock());
    if (!isKept) await this.#put(file, untilMs);
    this.#keptUntilMs.set(fileKey, untilMs);
  }

  async #put({ fileKey, teamId, bytes, contentType }: OwnedFile, untilMs: number): Promise<void> {
    const blobId = uuidV7(this.#clock());
    await this.#blobs.put(blobId, bytes);
    await this.#database
      .prepared(
        `INSERT INTO files (file_key, blob_id, content_type, size_bytes, expires_at, team_id)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (file_key) DO UPDATE SET
           blob_id = excluded.blob_id, size_bytes = excluded.size_bytes, expires_at = excluded.expires_at`,
      )
      .run(fileKey, blobId, contentType, bytes.byteLength, untilMs, teamId);
  }

  /** Deletes only this version, because the file may have been stored again meanwhile. */
  async #remove(fileKey: string, blobId: string): Promise<void> {
    this.#keptUntilMs.delete(fileKey);
    await this.#database
      .prepared("DELETE FROM files WHERE file_key = ? AND blob_id = ?")
      .run(fileKey, blobId);
    await this.#blobs.delete(blobId);
  }
}

function sign(key: Buffer, name: string, expires: string): string {
  return createHmac("sha256", key).update(`${name}:${expires}`).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
