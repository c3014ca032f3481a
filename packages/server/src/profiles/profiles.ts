import { NotFoundError, ServiceError } from "../api/errors.ts";
import type { repeat } from "@pergamon-dev/kit/repeat";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import type { StorageState } from "@pergamon-dev/browser/tab/storage-state";
import { isOver, leaseClockOf } from "../storage/coordination/lease-clock.ts";
import type { Database } from "../storage/database/database.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import {
  deleteProfile,
  findProfile,
  newestProfile,
  type ProfileName,
  profilesOfTeam,
} from "./profile-rows.ts";
import { freeAbandoned, isAbandoned, openWriter, type ProfileWriter } from "./profile-writer.ts";
import {
  deleteStates,
  loadState,
  openSealed,
  readSealed,
  type StateStorage,
  whyUnreadable,
} from "./saved-state.ts";

/** What is known about a profile without opening it. */
interface ProfileSummary {
  readonly name: string;
  /** Encrypted and compressed; 0 until something was saved. */
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly savedAtMs: number | undefined;
  /** True while a session may write to it. */
  readonly isLocked: boolean;
}

/** Named browser storage of teams, encrypted (contract, section 3.27). */
export interface Profiles {
  /**
   * The saved state; undefined when there is none yet; the profile is not made by that.
   * @throws ServiceError PROFILE_UNREADABLE when the state was sealed with a lost key, or is damaged.
   */
  load(profile: ProfileName): Promise<StorageState | undefined>;
  /** @throws ServiceError PROFILE_LOCKED while another session may write. */
  openWriter(profile: ProfileName): Promise<ProfileWriter>;
  list(teamId: string): Promise<readonly ProfileSummary[]>;
  /** @throws ServiceError PROFILE_LOCKED; NotFoundError when there is none of that name. */
  delete(profile: ProfileName): Promise<void>;
  /** @throws NotFoundError when nothing was saved to it. */
  export(profile: ProfileName): Promise<ExportedProfile>;
  /**
   * Saves an exported state to a profile, which is made when missing.
   * @throws ServiceError BAD_REQUEST when it cannot be opened; PROFILE_LOCKED while a session may write.
   */
  import(profile: ProfileName, exported: ExportedProfile): Promise<void>;
  /** Why saved profiles cannot be read, such as a lost key; undefined when those saved last can. */
  problem(): Promise<string | undefined>;
  /** Deletes the profiles of a team, even during a session: what it saves later is discarded. */
  erase(teamId: string): Promise<void>;
  /** Does nothing: profiles are kept until they are deleted. */
  prune(): Promise<void>;
}

interface ProfilesOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly clock?: () => number;
  /** The clock of the locks. Default: the monotonic clock of this machine. */
  readonly leaseClock?: () => number;
  /** Prolongs locks. Default: by the timers of this process. */
  readonly repeat?: typeof repeat;
  /** Called when a lock could not be prolonged. It is tried again. */
  readonly onError?: (failure: unknown) => void;
}

export function openProfiles(options: ProfilesOptions): Profiles {
  const { database, blobs, clock = Date.now, leaseClock = leaseClockOf(options.database) } = options;
  return {
    load: (profile) => loadState(profile, options),
    openWriter: (profile) => openWriter(profile, { ...options, clock, leaseClock }),
    async list(teamId) {
      const nowMs = leaseClock();
      const rows = await profilesOfTeam(database, teamId);
      return Promise.all(
        rows.map(async ({ name, sizeBytes, createdAtMs, savedAtMs, lockedUntilMs, lockId }) => ({
          name,
          sizeBytes,
          createdAtMs,
          savedAtMs: savedAtMs ?? undefined,
          isLocked: !isOver(lockedUntilMs, nowMs) && !(await isAbandoned(lockId)),
        })),
      );
    },
    export: (profile) => exportProfile(profile, options),
    async import(profile, exported) {
      const state = await stateOf(exported, options);
      const writer = await openWriter(profile, { ...options, clock, leaseClock });
      await writer.save(state).finally(() => writer.release());
    },
    async problem() {
      const newest = await newestProfile(database);
      if (!newest) return undefined;
      const failure = await loadState(newest, options).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return failure instanceof ServiceError ? failure.message : undefined;
    },
    async erase(teamId) {
      for (const { name } of await profilesOfTeam(database, teamId)) {
        await deleteProfile(database, { teamId, name }, Number.MAX_SAFE_INTEGER);
        await deleteStates(blobs, { teamId, name });
      }
    },
    prune: async () => {},
    async delete(profile) {
      await freeAbandoned(database, profile);
      if (await deleteProfile(database, profile, leaseClock())) return deleteStates(blobs, profile);
      if (await findProfile(database, profile)) throw new ServiceError("PROFILE_LOCKED");
      throw new NotFoundError("Profile not found.");
    },
  };
}

/** A profile outside of the service: opens only with the key that it was sealed with, as what it was exported from. */
interface ExportedProfile extends ProfileName {
  readonly savedAtMs: number;
  readonly sealed: Uint8Array;
}

/** Sealed bytes of an export: as base64 it fits into a body that can be imported. */
const MAX_SEALED_BYTES = 24 * 1024 * 1024;

/** @throws NotFoundError when nothing was saved; ServiceError BAD_REQUEST when it is too large to be imported again. */
async function exportProfile({ teamId, name }: ProfileName, storage: StateStorage): Promise<ExportedProfile> {
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
async function stateOf(
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
