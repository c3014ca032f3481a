import { createHmac, timingSafeEqual } from "node:crypto";

import { ConflictError, NotFoundError, ServiceError } from "../api/errors.ts";
import { isUuid, uuidTimeMs, uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobSource, BlobStore } from "../storage/blobs/blob-store.ts";
import type { Database } from "../storage/database/database.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import { OwnedBlobs, removeInSteps } from "../storage/owned-blobs.ts";
import type { SentFile } from "./run-parse.ts";

interface NewUpload {
  readonly teamId: string;
  readonly name: string;
  readonly contentType: string | undefined;
}

/** An upload reference, with its expiry. */
interface BegunUpload {
  readonly id: string;
  readonly reference: string;
  readonly expiresAtMs: number;
}

interface UploadsOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  /** Maximum unparsed uploads of a team within 24 hours. */
  readonly maxUnparsed: number;
  readonly clock?: () => number;
}

interface UploadRow {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly contentType: string | null;
  readonly blobId: string | null;
  /** -1 (`COMING`) while the file is being sent. */
  readonly sizeBytes: number;
  /** 0 or 1. */
  readonly isParsed: number;
}

/** Stands for the size of a file that is being sent. */
const COMING = -1;
/**
 * A body may take half a minute to arrive, and a store four attempts of the same length. After that the
 * sender has crashed.
 */
const MAX_SENDING_MS = 3 * 60 * 1000;
const LINK_LIFE_MS = 10 * 60 * 1000;
/** Time for which uploads count as unparsed, and rows are kept. */
const DAY_MS = 24 * 60 * 60 * 1000;

const UPLOAD = `SELECT id, team_id AS "teamId", name, content_type AS "contentType", blob_id AS "blobId",
    size_bytes AS "sizeBytes", is_parsed AS "isParsed"
  FROM uploads`;

/** Files that teams upload before parsing. Each has its own link and can be parsed once. */
export class Uploads {
  readonly #database: Database;
  readonly #blobs: OwnedBlobs;
  readonly #keys: ReturnType<Secrets["keysFor"]>;
  readonly #maxUnparsed: number;
  readonly #clock: () => number;

  constructor({ database, blobs, secrets, maxUnparsed, clock = Date.now }: UploadsOptions) {
    this.#database = database;
    this.#blobs = new OwnedBlobs({ blobs, folder: "uploads", database, table: "uploads", column: "blob_id" });
    this.#keys = secrets.keysFor("upload links");
    this.#maxUnparsed = maxUnparsed;
    this.#clock = clock;
  }

  /** @throws ServiceError PARSE_UPLOAD_UNPARSED_LIMIT_REACHED */
  async begin({ teamId, name, contentType }: NewUpload): Promise<BegunUpload> {
    const nowMs = this.#clock();
    const id = uuidV7(nowMs);
    const inserted = await this.#database
      .prepared(
        `INSERT INTO uploads (id, team_id, name, content_type, created_at)
         SELECT ?, ?, ?, ?, ?
         WHERE (SELECT count(*) FROM uploads WHERE team_id = ? AND is_parsed = 0 AND created_at > ?) < ?`,
      )
      .run(id, teamId, name, contentType ?? null, nowMs, teamId, nowMs - DAY_MS, this.#maxUnparsed);
    if (inserted === 0) throw tooMany(this.#maxUnparsed);
    const expiresAtMs = nowMs + LINK_LIFE_MS;
    return { id, reference: signReference(id, expiresAtMs, this.#keys), expiresAtMs };
  }

  /**
   * Stores a file in place of an earlier one. The row names its blob before the first byte is read.
   * @param read reads the file, and gives it to its argument.
   * @throws ServiceError BAD_REQUEST for a reference that does not open the upload; NotFoundError when it was
   * parsed; ConflictError while another file is being sent; exceptions of `read`.
   */
  async receive(
    id: string,
    reference: string,
    read: (store: (file: BlobSource) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    if (readReference(reference, this.#keys, this.#clock()) !== id) {
      throw new ServiceError("BAD_REQUEST", { message: "uploadRef does not match this upload URL." });
    }
    const blobId = await this.#claim(id);
    try {
      let sizeBytes = 0;
      await read(async (file) => {
        await this.#blobs.put(blobId, file);
        ({ sizeBytes } = file);
      });
      if (!(await this.#end(id, blobId, { blobId, sizeBytes }))) throw gone();
    } catch (failure) {
      await this.#end(id, blobId, { blobId: null, sizeBytes: 0 });
      await this.#blobs.delete(blobId);
      throw failure;
    }
  }

  /**
   * Opens the file of a reference, if it was not parsed yet. Reading uses it up.
   * @throws ServiceError BAD_REQUEST or FORBIDDEN when there is none for this team.
   */
  async open(reference: string, teamId: string): Promise<SentFile> {
    const row = await this.#row(readReference(reference, this.#keys, this.#clock()));
    if (row && row.teamId !== teamId) {
      const message = "uploadRef does not belong to the authenticated team.";
      throw new ServiceError("FORBIDDEN", { message });
    }
    if (!row?.blobId || row.isParsed || row.sizeBytes === COMING) throw notThere();
    const { id, blobId, name, contentType, sizeBytes } = row;
    return { name, contentType: contentType ?? undefined, sizeBytes, read: () => this.#take(id, blobId) };
  }

  async erase(teamId: string): Promise<void> {
    const rows = await this.#database.prepared<UploadRow>(`${UPLOAD} WHERE team_id = ?`).all(teamId);
    for (const row of rows) await this.#remove(row);
  }

  async prune(): Promise<void> {
    const nowMs = this.#clock();
    const old = this.#database.prepared<UploadRow>(
      `${UPLOAD} WHERE created_at < ? ORDER BY created_at LIMIT ?`,
    );
    await removeInSteps(
      (limit) => old.all(nowMs - DAY_MS, limit),
      (row) => this.#remove(row),
    );
    await this.#blobs.removeOrphans(nowMs);
  }

  async #take(id: string, blobId: string): Promise<Uint8Array> {
    const taken = await this.#database
      .prepared("UPDATE uploads SET is_parsed = 1 WHERE id = ? AND blob_id = ? AND is_parsed = 0")
      .run(id, blobId);
    const content = taken === 0 ? undefined : await this.#blobs.get(blobId);
    if (!content) throw notThere();
    await this.#blobs.delete(blobId);
    return content;
  }

  /**
   * Makes the caller the only sender of the file.
   * @returns the id of its blob, which replaces the previous one.
   */
  async #claim(id: string): Promise<string> {
    const nowMs = this.#clock();
    const blobId = uuidV7(nowMs);
    const before = await this.#row(id);
    if (!before || before.isParsed) throw gone();
    const isComing = before.sizeBytes === COMING && before.blobId !== null;
    if (isComing && uuidTimeMs(before.blobId) > nowMs - MAX_SENDING_MS) throw isBeingSent();
    const claimed = await this.#database
      .prepared(
        `UPDATE uploads SET blob_id = ?, size_bytes = ?
         WHERE id = ? AND is_parsed = 0 AND coalesce(blob_id, '') = ? AND size_bytes = ?`,
      )
      .run(blobId, COMING, id, before.blobId ?? "", before.sizeBytes);
    if (claimed === 0) throw isBeingSent();
    if (before.blobId) await this.#blobs.delete(before.blobId);
    return blobId;
  }

  /** @returns false when the upload is gone, or belongs to a later sender. */
  async #end(
    id: string,
    claimed: string,
    { blobId, sizeBytes }: Pick<UploadRow, "blobId" | "sizeBytes">,
  ): Promise<boolean> {
    const ended = await this.#database
      .prepared(
        "UPDATE uploads SET blob_id = ?, size_bytes = ? WHERE id = ? AND blob_id = ? AND size_bytes = ?",
      )
      .run(blobId, sizeBytes, id, claimed, COMING);
    return ended > 0;
  }

  #row(id: string): Promise<UploadRow | undefined> {
    return this.#database.prepared<UploadRow>(`${UPLOAD} WHERE id = ?`).get(id);
  }

  async #remove({ id, blobId }: UploadRow): Promise<void> {
    await this.#database.prepared("DELETE FROM uploads WHERE id = ?").run(id);
    if (blobId) await this.#blobs.delete(blobId);
  }
}

function tooMany(max: number): ServiceError {
  const message = `Your team has asked for ${max} upload links within 24 hours without parsing what was sent. Parse one of them first.`;
  return new ServiceError("PARSE_UPLOAD_UNPARSED_LIMIT_REACHED", { message });
}

function gone(): NotFoundError {
  return new NotFoundError("Upload URL not found or expired.");
}

function isBeingSent(): ConflictError {
  return new ConflictError("A file is being sent to this upload URL. Try again when that has ended.");
}

function notThere(): ServiceError {
  const message = "Uploaded file is not available. Upload the file before parsing.";
  return new ServiceError("BAD_REQUEST", { message });
}

type Keys = ReturnType<Secrets["keysFor"]>;

/** Signs a reference, which gives access to an upload: its id, its expiry, and a signature of both. */
export function signReference(id: string, expiresAtMs: number, keys: Keys): string {
  return `${id}.${expiresAtMs}.${signatureOf(keys[0], id, String(expiresAtMs))}`;
}

/**
 * Returns the upload id in a reference.
 * @throws ServiceError BAD_REQUEST when the reference was not made here, or has expired.
 */
export function readReference(reference: string, keys: Keys, nowMs: number): string {
  const [id = "", expires = "", signature = ""] = reference.split(".", 3);
  const isOwn = isUuid(id) && keys.some((key) => isSame(signature, signatureOf(key, id, expires)));
  if (!isOwn) throw new ServiceError("BAD_REQUEST", { message: "Invalid uploadRef signature." });
  if (Number(expires) <= nowMs) {
    throw new ServiceError("BAD_REQUEST", { message: "uploadRef has expired." });
  }
  return id;
}

function signatureOf(key: Buffer, id: string, expires: string): string {
  return createHmac("sha256", key).update(`${id}.${expires}`).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
