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

/** Facts about a profile that are known without opening it. */
interface ProfileSummary {
  readonly name: string;
  /** Size of the encrypted and compressed state; 0 until something was saved. */
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly savedAtMs: number | undefined;
  /** True while a session may write to the profile. */
  readonly isLocked: boolean;
}

/** Named browser storage of teams, which is encrypted (contract, section 3.27). */
export interface Profiles {
  /**
   * The saved state; undefined when nothing was saved yet. Loading does not create the profile.
   * @throws ServiceError PROFILE_UNREADABLE when the state was sealed with a lost key, or is damaged.
   */
  load(profile: ProfileName): Promise<StorageState | undefined>;
  /** @throws ServiceError PROFILE_LOCKED while another session may write. */
  openWriter(profile: ProfileName): Promise<ProfileWriter>;
  list(teamId: string): Promise<readonly ProfileSummary[]>;
  /** @throws ServiceError PROFILE_LOCKED; NotFoundError when there is no profile of that name. */
  delete(profile: ProfileName): Promise<void>;
  /** @throws NotFoundError when nothing was saved to the profile. */
  export(profile: ProfileName): Promise<ExportedProfile>;
  /**
   * Saves an exported state to a profile, which is created when missing.
   * @throws ServiceError BAD_REQUEST when the export cannot be opened; PROFILE_LOCKED while a session may
   * write.
   */
  import(profile: ProfileName, exported: ExportedProfile): Promise<void>;
  /**
   * The reason why saved profiles cannot be read, such as a lost key; undefined when the latest one can be
   * read.
   */
  problem(): Promise<string | undefined>;
  /** Deletes the profiles of a team, even during a session. Later saves of that session are discarded. */
  erase(teamId: string): Promise<void>;
  /** Does nothing, because profiles are kept until they are deleted. */
  prune(): Promise<void>;
}

interface ProfilesOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly clock?: () => number;
  /** Clock of the leases. Default: the monotonic clock of this machine. */
  readonly leaseClock?: () => number;
  /** Schedules the renewal of locks. Default: timers of this process. */
  readonly repeat?: typeof repeat;
  /** Called when a lock could not be renewed. The renewal is retried. */
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

/**
 * A profile outside the service. It only opens with the key that sealed it, and as the profile that it was
 * exported from.
 */
interface ExportedProfile extends ProfileName {
  readonly savedAtMs: number;
  readonly sealed: Uint8Array;
}

/** Maximum sealed bytes of an export, whose base64 must fit into the body of an import. */
const MAX_SEALED_BYTES = 24 * 1024 * 1024;

/**
 * @throws NotFoundError when nothing was saved; ServiceError BAD_REQUEST when the export would be too large
 * to import.
 */
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

/** @throws ServiceError BAD_REQUEST when the export cannot be opened. */
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
