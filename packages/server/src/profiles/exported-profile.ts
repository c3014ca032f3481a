import { NotFoundError, ServiceError } from "../api/errors.ts";
import type { StorageState } from "@pergamon-dev/browser/tab/storage-state";
import { findProfile, type ProfileName } from "./profile-rows.ts";
import { openSealed, readSealed, type StateStorage, whyUnreadable } from "./saved-state.ts";

/** A profile outside of the service: opens only with the key that it was sealed with, as what it was exported from. */
export interface ExportedProfile extends ProfileName {
  readonly savedAtMs: number;
  readonly sealed: Uint8Array;
}

/** Sealed bytes of an export: as base64 it fits into a body that can be imported. */
const MAX_SEALED_BYTES = 24 * 1024 * 1024;

/** @throws NotFoundError when nothing was saved; ServiceError BAD_REQUEST when it is too large to be imported again. */
export async function exportProfile(
  { teamId, name }: ProfileName,
  storage: StateStorage,
): Promise<ExportedProfile> {
  const row = await findProfile(storage.database, { teamId, name });
  const sealed = await readSealed({ teamId, name }, storage);
  if (!row || !sealed) throw new NotFoundError("Nothing has been saved to this profile.");
  if (sealed.byteLength > MAX_SEALED_BYTES) {
    const message = `The profile has more than ${MAX_SEALED_BYTES} bytes. Use pergamon backup instead.`;
    throw new ServiceError("BAD_REQUEST", { message });
  }
  return { teamId, name, savedAtMs: row.savedAtMs ?? row.createdAtMs, sealed };
}

/** The state in an export. @throws ServiceError BAD_REQUEST when it cannot be opened. */
export async function stateOf(
  { sealed, teamId, name }: ExportedProfile,
  { secrets }: StateStorage,
): Promise<StorageState> {
  try {
    return await openSealed(sealed, { teamId, name }, secrets);
  } catch (cause) {
    const message = `The exported profile cannot be opened. ${whyUnreadable(cause)}`;
    throw new ServiceError("BAD_REQUEST", { message, cause });
  }
}
