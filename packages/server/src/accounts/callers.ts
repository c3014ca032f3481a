import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { NotFoundError } from "../api/errors.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Database } from "../storage/database/database.ts";
import { unmapAddress } from "../net/guard/addresses.ts";
import { findKey, findKeyById, type FoundKey, recordUse } from "./keys.ts";
import type { Payer } from "./balances.ts";
import { KeyRestrictions } from "../api/key-restrictions.ts";
import { getTeam, type Team, teamOf } from "./teams.ts";

/** The caller of a request: a team, in keyed mode through one of its keys. */
export interface Caller {
  readonly teamId: string;
  readonly keyId?: string;
  readonly team: Team;
  readonly restrictions: KeyRestrictions;
  readonly payer: Payer;
  /** Undefined when the key may be used from any address. */
  readonly allowedIps?: BlockList;
}

/** Those that are remembered need not be waited for. */
export interface Callers {
  /** Undefined when the key is unknown or revoked, or the text is not a key. */
  byKey(apiKey: string): Caller | Promise<Caller | undefined> | undefined;
  /** The caller of stored work that continues; undefined when the key or team is gone or banned. */
  ofWork(owner: WorkOwner): Promise<Caller | undefined>;
  /** A caller of the team without a key. @throws NotFoundError when the team does not exist. */
  ofTeam(teamId: string): Caller | Promise<Caller>;
  /** Drops everything that is cached. Call it after keys or teams were changed. */
  forget(): void;
}

/** The owner of stored work. There is no key in open mode. */
interface WorkOwner {
  readonly teamId: string;
  readonly keyId?: string | null | undefined;
}

const API_KEY = /^fc-[0-9a-f]{32}$/;

/**
 * Looks callers up and caches them briefly.
 * @param flags of teams without flags of their own.
 */
export function openCallers(
  database: Database,
  clock: () => number = Date.now,
  flags: Team["flags"] = {},
): Callers {
  const flagged = (team: Team): Team => ({ ...team, flags: { ...flags, ...team.flags } });
  const remembered = new Remembered<Caller>(database, clock);
  const ofTeam = (teamId: string) =>
    remembered.of(teamId, async () => callerOf(flagged(await getTeam(database, teamId)))) as
      | Caller
      | Promise<Caller>;

  return {
    byKey(apiKey) {
      if (!API_KEY.test(apiKey)) return undefined;
      return remembered.of(apiKey, async (nowMs) => {
        const found = await findKey(database, sha256Hex(apiKey), nowMs);
        if (!found) return undefined;
        recordUse(database, found, nowMs);
        return callerWithKey(found, flagged(teamOf(found)));
      });
    },
    async ofWork({ teamId, keyId }) {
      const found = keyId == null ? undefined : await findKeyById(database, keyId, clock());
      const caller =
        keyId == null
          ? await Promise.resolve(ofTeam(teamId)).catch(unlessGone)
          : found && callerWithKey(found, flagged(teamOf(found)));
      return caller?.team.flags.banned || caller?.restrictions.banned ? undefined : caller;
    },
    ofTeam,
    forget: () => remembered.forget(),
  };
}

function unlessGone(failure: unknown): undefined {
  if (!(failure instanceof NotFoundError)) throw failure;
}

export function callerOf(team: Team): Caller {
  return { teamId: team.id, team, restrictions: {}, payer: { team } };
}

function callerWithKey(found: FoundKey, team: Team): Caller {
  const restrictions = KeyRestrictions.parse(JSON.parse(found.restrictions));
  return {
    teamId: team.id,
    keyId: found.keyId,
    team,
    restrictions,
    payer: { team, keyId: found.keyId, keyCredits: restrictions.credits },
    ...(restrictions.allowedIps && { allowedIps: blockListOf(restrictions.allowedIps) }),
  };
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", length] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (length === undefined) addAddress(list, unmapAddress(address));
    else list.addSubnet(address, Number(length), family);
  }
  return list;
}

function addAddress(list: BlockList, address: string): void {
  list.addAddress(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

const MAX_REMEMBERED = 10_000;
/**
 * Where the database does not report foreign writes, a revocation by another process takes effect after this
 * time at the latest.
 */
const REMEMBERED_MS = 50;

type Find<Found> = (nowMs: number) => Promise<Found | undefined>;

/** A short-lived cache of database reads, which is cleared when another process writes. */
class Remembered<Found extends object> {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #remembered = new LRUCache<string, { readonly found: Found; readonly untilMs: number }>(
    atMost(MAX_REMEMBERED),
  );
  /** Pending reads, which concurrent callers share. */
  #looking = new Map<string, Promise<Found | undefined>>();
  #seenWrites: number | undefined;

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    this.#seenWrites = database.foreignWrites?.();
  }

  of(name: string, find: Find<Found>): Found | Promise<Found | undefined> {
    this.#forgetAfterForeignWrites();
    const nowMs = this.#clock();
    const known = this.#remembered.get(name);
    if (known && nowMs < known.untilMs) return known.found;
    const looking = this.#looking.get(name) ?? this.#look(name, nowMs, find);
    this.#looking.set(name, looking);
    return looking;
  }

  forget(): void {
    this.#remembered.clear();
    this.#looking = new Map();
  }

  async #look(name: string, nowMs: number, find: Find<Found>): Promise<Found | undefined> {
    const looking = this.#looking;
    try {
      const found = await find(nowMs);
      // A result that `forget` has made stale meanwhile is not cached.
      if (found && looking === this.#looking)
        this.#remembered.set(name, { found, untilMs: nowMs + REMEMBERED_MS });
      return found;
    } finally {
      looking.delete(name);
    }
  }

  #forgetAfterForeignWrites(): void {
    const writes = this.#database.foreignWrites?.();
    if (writes === this.#seenWrites) return;
    this.#seenWrites = writes;
    this.forget();
  }
}
