import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

import { NotFoundError, ServiceError } from "../contract/errors.ts";
import { sha256Hex } from "../kit/hash.ts";
import { hasEnded, processIdentity } from "../kit/process/process-identity.ts";
import { repeat, type Repetition } from "../kit/repeat.ts";
import { uuidV7 } from "../kit/uuid.ts";
import type { BlobStore } from "../platform/blobs/blob-store.ts";
import type { StorageState } from "../platform/browser/tab/storage-state.ts";
import { isOver, leaseClockOf } from "../platform/coordination/lease-clock.ts";
import type { Database } from "../platform/database/database.ts";
import { type Secrets, SealError } from "../platform/secrets/secrets.ts";
import {
  deleteProfile,
  newestProfile,
  findProfile,
  type ProfileName,
  profilesOfTeam,
  setBlob,
  setLease,
  takeLock,
} from "./profile-rows.ts";

/** What is told about a profile without opening it. */
export interface ProfileSummary {
  readonly name: string;
  /** Encrypted and compressed; 0 until something was saved. */
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly savedAtMs: number | undefined;
  /** True while a session may write to it. */
  readonly isLocked: boolean;
}

/** The one session that may save to a profile. Its lock ends with `release`, or soon after its process died. */
export interface ProfileWriter {
  /** @throws ServiceError PROFILE_LOCKED when the lock was lost, because this process did not run for too long. */
  save(state: StorageState): Promise<void>;
  release(): Promise<void>;
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
  /** Why saved profiles cannot be read, such as a lost key; undefined when those saved last can. */
  problem(): Promise<string | undefined>;
  /** Deletes the profiles of a team, even during a session: what it saves later is discarded. */
  erase(teamId: string): Promise<void>;
  /** Does nothing: profiles are kept until they are deleted. */
  prune(): Promise<void>;
}

export interface ProfilesOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly clock?: () => number;
  /** The clock of the locks. Default: the monotonic clock of this machine. */
  readonly leaseClock?: () => number;
  /** Told when a lock could not be prolonged. It is tried again. */
  readonly onError?: (failure: unknown) => void;
}

/** How long the lock of a process that died elsewhere holds others off. One that died here holds nobody. */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3_000;
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** Decompressed. A browser allows an origin more, but nobody keeps that in a login. */
const MAX_STATE_BYTES = 256 * 1024 * 1024;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export function openProfiles(options: ProfilesOptions): Profiles {
  const { database, blobs, clock = Date.now, leaseClock = leaseClockOf(options.database) } = options;
  return {
    load: (profile) => load(options, profile),
    async openWriter(profile) {
      const lockId = `${(await processIdentity()) ?? ""}${OF_PROCESS}${uuidV7()}`;
      const take = () => {
        const nowMs = leaseClock();
        const lease = { lockId, untilMs: nowMs + LEASE_MS };
        return takeLock(database, profile, lease, { nowMs, createdAtMs: clock() });
      };
      const isTaken = (await take()) || ((await freeAbandoned(database, profile)) && (await take()));
      if (!isTaken) throw new ServiceError("PROFILE_LOCKED");
      return new LeasedWriter({ clock, leaseClock, ...options }, profile, lockId);
    },
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
    async problem() {
      const newest = await newestProfile(database);
      if (!newest) return undefined;
      const failure = await load(options, newest).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return failure instanceof ServiceError ? failure.message : undefined;
    },
    async erase(teamId) {
      for (const { name } of await profilesOfTeam(database, teamId)) {
        await deleteProfile(database, { teamId, name }, Number.MAX_SAFE_INTEGER);
        await deleteBlobs(blobs, { teamId, name });
      }
    },
    prune: async () => {},
    async delete(profile) {
      await freeAbandoned(database, profile);
      if (await deleteProfile(database, profile, leaseClock())) return deleteBlobs(blobs, profile);
      if (await findProfile(database, profile)) throw new ServiceError("PROFILE_LOCKED");
      throw new NotFoundError("Profile not found.");
    },
  };
}

/** Between the name of its process and the lock's own in the id of a lock. */
const OF_PROCESS = "#";

/** Ends the lock of a process that was killed. @returns whether there was one. */
async function freeAbandoned(database: Database, profile: ProfileName): Promise<boolean> {
  const lockId = (await findProfile(database, profile))?.lockId;
  if (!lockId || !(await isAbandoned(lockId))) return false;
  return setLease(database, profile, { lockId, untilMs: 0 });
}

async function isAbandoned(lockId: string | null): Promise<boolean> {
  return lockId !== null && hasEnded(lockId.split(OF_PROCESS, 1).join());
}

type Clocks = Required<Pick<ProfilesOptions, "clock" | "leaseClock">>;

class LeasedWriter implements ProfileWriter {
  readonly #options: ProfilesOptions & Clocks;
  readonly #profile: ProfileName;
  readonly #lockId: string;
  readonly #renewal: Repetition;

  constructor(options: ProfilesOptions & Clocks, profile: ProfileName, lockId: string) {
    this.#options = options;
    this.#profile = profile;
    this.#lockId = lockId;
    this.#renewal = repeat(RENEWAL_MS, () => this.#setLease(LEASE_MS), options.onError ?? (() => {}));
  }

  /** The new blob first, then the row: a reader finds the old state or the new. */
  async save(state: StorageState): Promise<void> {
    const { database, blobs, secrets, clock, leaseClock } = this.#options;
    const content = await compress(Buffer.from(JSON.stringify(state)), QUALITY);
    const sealed = secrets.seal(content, purposeOf(this.#profile));
    const blobId = uuidV7();
    await blobs.put(blobKey(this.#profile, blobId), sealed);
    const saved = { lockId: this.#lockId, blobId, sizeBytes: sealed.byteLength, savedAtMs: clock() };
    if (!(await setBlob(database, this.#profile, saved, leaseClock()))) {
      await blobs.delete(blobKey(this.#profile, blobId));
      throw new ServiceError("PROFILE_LOCKED");
    }
    await deleteBlobs(blobs, this.#profile, blobId);
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

async function load(options: ProfilesOptions, profile: ProfileName): Promise<StorageState | undefined> {
  const { database, blobs, secrets } = options;
  const sealed = await readBlob(database, blobs, profile);
  if (!sealed) return undefined;
  try {
    const content = secrets.open(sealed, purposeOf(profile));
    const json = await decompress(content, { maxOutputLength: MAX_STATE_BYTES });
    return JSON.parse(json.toString("utf8")) as StorageState;
  } catch (cause) {
    const why = cause instanceof SealError ? cause.message : "The data is damaged.";
    const message = `The saved state of the profile "${profile.name}" cannot be read. ${why}`;
    throw new ServiceError("PROFILE_UNREADABLE", { message, cause });
  }
}

/** A blob may be replaced between the look at the row and the look at the blob: then the row names a newer one. */
async function readBlob(database: Database, blobs: BlobStore, profile: ProfileName) {
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

/** Everything ever saved to the profile, except one blob. Also finds what a crash left between blob and row. */
async function deleteBlobs(blobs: BlobStore, profile: ProfileName, exceptId?: string): Promise<void> {
  const kept = exceptId && blobKey(profile, exceptId);
  for await (const key of blobs.list(blobFolder(profile))) {
    if (key !== kept) await blobs.delete(key);
  }
}

function blobKey(profile: ProfileName, blobId: string): string {
  return `${blobFolder(profile)}/${blobId}`;
}

/** Names hold any character; a hash fits any store, and does not tell them. */
function blobFolder(profile: ProfileName): string {
  return `profiles/${sha256Hex(purposeOf(profile))}`;
}

function purposeOf({ teamId, name }: ProfileName): string {
  return JSON.stringify(["profile", teamId, name]);
}
