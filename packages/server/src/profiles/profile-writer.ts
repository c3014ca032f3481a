import { ServiceError } from "../api/errors.ts";
import { hasEnded, processIdentity } from "@pergamon-dev/kit/process/process-identity";
import { repeat as repeatByTimer, type Repetition } from "@pergamon-dev/kit/repeat";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { StorageState } from "@pergamon-dev/browser/tab/storage-state";
import type { Database } from "../storage/database/database.ts";
import { findProfile, type ProfileName, setBlob, setLease, takeLock } from "./profile-rows.ts";
import { deleteState, deleteStates, putState, type StateStorage } from "./saved-state.ts";

/**
 * The only session that may save to a profile. Its lock ends with `release`, or soon after its process has
 * died.
 */
export interface ProfileWriter {
  /**
   * @throws ServiceError PROFILE_LOCKED when the lock was lost because this process was suspended for too
   * long.
   */
  save(state: StorageState): Promise<void>;
  release(): Promise<void>;
}

interface WriterOptions extends StateStorage {
  readonly clock: () => number;
  /** Clock of the leases. */
  readonly leaseClock: () => number;
  /** Schedules the renewal of locks. */
  readonly repeat?: typeof repeatByTimer;
  /** Called when a lock could not be renewed. The renewal is retried. */
  readonly onError?: (failure: unknown) => void;
}

/**
 * A process that died on another machine blocks the profile for this long. One that died on this machine does
 * not block it.
 */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3_000;

/** @throws ServiceError PROFILE_LOCKED while another session may write. */
export async function openWriter(profile: ProfileName, options: WriterOptions): Promise<ProfileWriter> {
  const { database, clock, leaseClock } = options;
  const lockId = `${(await processIdentity()) ?? ""}${OF_PROCESS}${uuidV7()}`;
  const take = () => {
    const nowMs = leaseClock();
    const lease = { lockId, untilMs: nowMs + LEASE_MS };
    return takeLock(database, profile, lease, { nowMs, createdAtMs: clock() });
  };
  const isTaken = (await take()) || ((await freeAbandoned(database, profile)) && (await take()));
  if (!isTaken) throw new ServiceError("PROFILE_LOCKED");
  return new LeasedWriter(options, profile, lockId);
}

/** Separates the process name from the rest of a lock id. */
const OF_PROCESS = "#";

/** Ends the lock of a killed process. @returns false when there was none. */
export async function freeAbandoned(database: Database, profile: ProfileName): Promise<boolean> {
  const lockId = (await findProfile(database, profile))?.lockId;
  if (!lockId || !(await isAbandoned(lockId))) return false;
  return setLease(database, profile, { lockId, untilMs: 0 });
}

/** Whether the process that holds the lock has ended on this machine. */
export async function isAbandoned(lockId: string | null): Promise<boolean> {
  return lockId !== null && hasEnded(lockId.split(OF_PROCESS, 1).join());
}

class LeasedWriter implements ProfileWriter {
  readonly #options: WriterOptions;
  readonly #profile: ProfileName;
  readonly #lockId: string;
  readonly #renewal: Repetition;

  constructor(options: WriterOptions, profile: ProfileName, lockId: string) {
    this.#options = options;
    this.#profile = profile;
    this.#lockId = lockId;
    const { repeat = repeatByTimer, onError = () => {} } = options;
    this.#renewal = repeat(RENEWAL_MS, () => this.#setLease(LEASE_MS), onError);
  }

  /** The new blob is written before the row, so that readers find the old state or the new one. */
  async save(state: StorageState): Promise<void> {
    const { database, blobs, clock, leaseClock } = this.#options;
    const put = await putState(this.#profile, state, this.#options);
    const saved = { lockId: this.#lockId, ...put, savedAtMs: clock() };
    if (!(await setBlob(database, this.#profile, saved, leaseClock()))) {
      await deleteState(blobs, this.#profile, put.blobId);
      throw new ServiceError("PROFILE_LOCKED");
    }
    await deleteStates(blobs, this.#profile, put.blobId);
  }

  async release(): Promise<void> {
    await this.#renewal.stop();
    await this.#setLease(0);
  }

  #setLease(durationMs: number): Promise<boolean> {
    const untilMs = durationMs === 0 ? 0 : this.#options.leaseClock() + durationMs;
    return setLease(this.#options.database, this.#profile, { lockId: this.#lockId, untilMs });
  }
}
