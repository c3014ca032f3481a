import { ForbiddenError, UnauthorizedError } from "../api/errors.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Caller } from "./callers.ts";
import { KeyRestrictions } from "../api/key-restrictions.ts";
import { TeamFlags } from "../api/teams.ts";

/** Ends running work when its key is revoked or banned, or its team is deleted or banned. */
export interface Revocations {
  /** @returns a function to call when the work has ended. */
  watch(caller: Caller, end: (reason: Error) => void): () => void;
  /** Checks at once instead of within a second. */
  check(): Promise<void>;
  /** @throws UnauthorizedError or ForbiddenError when the key is no longer valid. */
  require(caller: Pick<Caller, "keyId">): Promise<void>;
}

const LOOK_INTERVAL_MS = 1000;
/** Maximum keys per statement. */
const BATCH = 500;

/** @param onError called when the keys could not be read; the next check follows soon. */
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
    const reason = refusalOf(state);
    if (reason) for (const end of watched.get(keyId) ?? []) end(reason);
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
    async require({ keyId }) {
      const reason = await refusalOfKey(database, keyId);
      if (reason) throw reason;
    },
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

/** The error that ends work of this key; undefined when the key is in use, or the work has no key. */
export async function refusalOfKey(
  statements: Statements,
  keyId: string | undefined,
): Promise<Error | undefined> {
  if (keyId === undefined) return undefined;
  return refusalOf((await statesOf(statements, [keyId])).get(keyId) ?? "unknown");
}

function refusalOf(state: KeyState): Error | undefined {
  if (state === "valid") return undefined;
  return state === "unknown" ? new UnauthorizedError("Unauthorized: Invalid token") : bannedError(state);
}

/** A caller whom the operator has banned. */
export class BannedError extends ForbiddenError {}

export function bannedError(whom: "team" | "API key"): BannedError {
  return new BannedError(`Forbidden: this ${whom} has been banned by the operator of this service.`);
}

/** The state of a key. "team" and "API key" say which of them is banned. */
type KeyState = "valid" | "unknown" | "team" | "API key";

/** Ids that are missing from the result are not keys in use of existing teams. */
async function statesOf(
  statements: Statements,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, KeyState>> {
  const rows = await statements
    .prepared<KeyTexts & { readonly id: string }>(
      `SELECT api_keys.id, api_keys.restrictions, teams.flags
       FROM api_keys JOIN teams ON teams.id = api_keys.team_id
       WHERE api_keys.id IN (${keyIds.map(() => "?").join(", ")})
         AND api_keys.revoked_at IS NULL AND teams.deleted_at IS NULL`,
    )
    .all(...keyIds);
  return new Map(rows.map(({ id, ...texts }) => [id, stateOf(texts)]));
}

/** JSON texts. */
type KeyTexts = Readonly<Record<"flags" | "restrictions", string>>;

function stateOf({ flags, restrictions }: KeyTexts): KeyState {
  if (TeamFlags.parse(JSON.parse(flags)).banned) return "team";
  return KeyRestrictions.parse(JSON.parse(restrictions)).banned ? "API key" : "valid";
}
