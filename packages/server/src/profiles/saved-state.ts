import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

import { ServiceError } from "../api/errors.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import type { StorageState } from "@pergamon-dev/browser/tab/storage-state";
import type { Database } from "../storage/database/database.ts";
import { type Secrets, SealError } from "../storage/secrets/secrets.ts";
import { findProfile, type ProfileName } from "./profile-rows.ts";

export interface StateStorage {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
}

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** Maximum size after decompression. Browsers allow more per origin, but no login needs that much. */
const MAX_STATE_BYTES = 256 * 1024 * 1024;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Compresses, seals and stores a state, which no row names yet. */
export async function putState(
  profile: ProfileName,
  state: StorageState,
  { blobs, secrets }: StateStorage,
): Promise<{ readonly blobId: string; readonly sizeBytes: number }> {
  const content = await compress(Buffer.from(JSON.stringify(state)), QUALITY);
  const sealed = secrets.seal(content, purposeOf(profile));
  const blobId = uuidV7();
  await blobs.put(blobKey(profile, blobId), sealed);
  return { blobId, sizeBytes: sealed.byteLength };
}

/**
 * Reads the state that the row names; undefined when nothing was saved.
 * @throws ServiceError PROFILE_UNREADABLE when the state was sealed with a lost key, is damaged, or is
 * missing.
 */
export async function loadState(
  profile: ProfileName,
  storage: StateStorage,
): Promise<StorageState | undefined> {
  const sealed = await readSealed(profile, storage);
  if (!sealed) return undefined;
  try {
    return await openSealed(sealed, profile, storage.secrets);
  } catch (cause) {
    const message = `The saved state of the profile "${profile.name}" cannot be read. ${whyUnreadable(cause)}`;
    throw new ServiceError("PROFILE_UNREADABLE", { message, cause });
  }
}

/**
 * @throws SealError when the state was sealed with a lost key, or as another profile; Error when it is
 * damaged.
 */
export async function openSealed(
  sealed: Uint8Array,
  profile: ProfileName,
  secrets: Secrets,
): Promise<StorageState> {
  const content = secrets.open(sealed, purposeOf(profile));
  const json = await decompress(content, { maxOutputLength: MAX_STATE_BYTES });
  return JSON.parse(json.toString("utf8")) as StorageState;
}

/** The reason why sealed bytes could not be opened, for the operator. */
export function whyUnreadable(failure: unknown): string {
  return failure instanceof SealError ? failure.message : "The data is damaged.";
}

/**
 * The sealed bytes that the row names. A blob may be replaced between the reads of row and blob. Then the row
 * names a newer blob, and the read is repeated.
 */
export async function readSealed(
  profile: ProfileName,
  { database, blobs }: StateStorage,
): Promise<Uint8Array | undefined> {
  let missing: string | undefined;
  for (;;) {
    const blobId = (await findProfile(database, profile))?.blobId ?? undefined;
    if (blobId === undefined) return undefined;
    const sealed = await blobs.get(blobKey(profile, blobId));
    if (sealed) return sealed;
    if (blobId === missing) {
      const message = `The saved state of the profile "${profile.name}" is missing from the blob store.`;
      throw new ServiceError("PROFILE_UNREADABLE", { message });
    }
    missing = blobId;
  }
}

/**
 * Deletes all states that were ever saved to the profile, except one. This also finds blobs that a crash left
 * without a row.
 */
export async function deleteStates(blobs: BlobStore, profile: ProfileName, exceptId?: string): Promise<void> {
  const kept = exceptId && blobKey(profile, exceptId);
  for await (const key of blobs.list(blobFolder(profile))) {
    if (key !== kept) await blobs.delete(key);
  }
}

/** Deletes a state that no row names. */
export function deleteState(blobs: BlobStore, profile: ProfileName, blobId: string): Promise<void> {
  return blobs.delete(blobKey(profile, blobId));
}

function blobKey(profile: ProfileName, blobId: string): string {
  return `${blobFolder(profile)}/${blobId}`;
}

/** Names may contain any character. A hash is valid in any store and hides the name. */
function blobFolder(profile: ProfileName): string {
  return `profiles/${sha256Hex(purposeOf(profile))}`;
}

function purposeOf({ teamId, name }: ProfileName): string {
  return JSON.stringify(["profile", teamId, name]);
}
