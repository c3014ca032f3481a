import { ForbiddenError, UnauthorizedError } from "../contract/errors.ts";
import type { Database } from "../platform/database/database.ts";
import type { Caller } from "./callers.ts";
import { KeyRestrictions } from "../contract/key-restrictions.ts";
import { TeamFlags } from "../contract/teams.ts";

/** Ends work under way whose key has been revoked or banned meanwhile, or whose team deleted or banned. */
export interface Revocations {
  /** @returns what to call when the work has ended. */
  watch(caller: Caller, end: (reason: Error) => void): () => void;
  /** Looks at once, instead of within a second. */
  check(): Promise<void>;
}

const LOOK_INTERVAL_MS = 1000;
/** Keys of one statement. */
const BATCH = 500;

/** @param onError called when the keys could not be looked up; the next look comes soon. */
export function openRevocations(database: Database, onError: (failure: unknown) => void): Revocations {
  const watched = new Map<string, Set<(reason: Error) => void>>();
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    const keyIds = [...watched.keys()];
    for (let start = 0; start < keyIds.length; start += BATCH) {
      const batch = keyIds.slice(start, start + BATCH);
      const states = await statesOf(database, batch);
      for (const keyId of batch) endAll(keyId, states.get(keyId) ?? "unknown");
    }
  }

  function endAll(keyId: string, state: KeyState): void {
    if (state === "valid") return;
    const reason =
      state === "unknown" ? new UnauthorizedError("Unauthorized: Invalid token") : bannedError(state);
    for (const end of watched.get(keyId) ?? []) end(reason);
  }

  function lookLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (watched.size === 0) return;
      check().catch(onError).finally(lookLater);
    }, LOOK_INTERVAL_MS).unref();
  }

  return {
    check,
    watch({ keyId }, end) {
      if (keyId === undefined) return () => undefined;
      const ends = watched.get(keyId) ?? new Set();
      watched.set(keyId, ends.add(end));
      lookLater();
      return () => {
        ends.delete(end);
        if (ends.size === 0 && watched.get(keyId) === ends) watched.delete(keyId);
      };
    },
  };
}

/** The error of callers whose access was revoked. */
export function bannedError(whom: "team" | "API key"): ForbiddenError {
  return new ForbiddenError(`Forbidden: this ${whom} has been banned by the operator of this service.`);
}

/** Whether a key may be used, or who has been banned. */
type KeyState = "valid" | "unknown" | "team" | "API key";

/** Of those ids that are keys in use, of teams that are there. */
async function statesOf(
  database: Database,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, KeyState>> {
  const rows = await database
    .prepared<KeyTexts & { readonly id: string }>(
      `SELECT api_keys.id, api_keys.restrictions, teams.flags
       FROM api_keys JOIN teams ON teams.id = api_keys.team_id
       WHERE api_keys.id IN (${keyIds.map(() => "?").join(", ")})
         AND api_keys.revoked_at IS NULL AND teams.deleted_at IS NULL`,
    )
    .all(...keyIds);
  return new Map(rows.map(({ id, ...texts }) => [id, stateOf(texts)]));
}

/** JSON. */
type KeyTexts = Readonly<Record<"flags" | "restrictions", string>>;

function stateOf({ flags, restrictions }: KeyTexts): KeyState {
  if (TeamFlags.parse(JSON.parse(flags)).banned) return "team";
  return KeyRestrictions.parse(JSON.parse(restrictions)).banned ? "API key" : "valid";
}
