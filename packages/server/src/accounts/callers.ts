import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";

import { NotFoundError } from "../api/errors.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Database } from "../storage/database/database.ts";
import { unmapAddress } from "../net/guard/addresses.ts";
import { findKey, findKeyById, type FoundKey, recordUse } from "./keys.ts";
import type { Payer } from "./balances.ts";
import { KeyRestrictions } from "../api/key-restrictions.ts";
import { getTeam, type Team, teamOf } from "./teams.ts";

/** Who calls: a team, in keyed mode through one of its keys. */
export interface Caller {
  readonly teamId: string;
  readonly keyId?: string;
  readonly team: Team;
  readonly restrictions: KeyRestrictions;
  readonly payer: Payer;
  /** Undefined when the key may be used from anywhere. */
  readonly allowedIps?: BlockList;
}

export interface Callers {
  /** Undefined when the key is unknown, revoked or no key at all. */
  byKey(apiKey: string): Promise<Caller | undefined>;
  /** For whom work goes on that was asked for before; undefined when the key or the team is gone or banned. */
  ofWork(owner: WorkOwner): Promise<Caller | undefined>;
  /** A member of the team without a key. @throws NotFoundError when there is no such team. */
  ofTeam(teamId: string): Promise<Caller>;
  /** Everything is looked up again from now on. Call it after keys or teams were changed. */
  forget(): void;
}

/** Who asked for work that lasts. Without a key in open mode. */
interface WorkOwner {
  readonly teamId: string;
  readonly keyId?: string | null | undefined;
}

const API_KEY = /^fc-[0-9a-f]{32}$/;

/**
 * Looks callers up, and remembers those found for a moment.
 * @param flags of teams that have no other ones.
 */
export function openCallers(
  database: Database,
  clock: () => number = Date.now,
  flags: Team["flags"] = {},
): Callers {
  const flagged = (team: Team): Team => ({ ...team, flags: { ...flags, ...team.flags } });
  const remembered = new Remembered<Caller>(database, clock);
  const ofTeam = async (teamId: string) =>
    (await remembered.of(teamId, async () => callerOf(flagged(await getTeam(database, teamId))))) as Caller;

  return {
    async byKey(apiKey) {
      if (!API_KEY.test(apiKey)) return undefined;
      const keyHash = sha256Hex(apiKey);
      return remembered.of(keyHash, async (nowMs) => {
        const found = await findKey(database, keyHash, nowMs);
        if (!found) return undefined;
        recordUse(database, found, nowMs);
        return callerWithKey(found, flagged(teamOf(found)));
      });
    },
    async ofWork({ teamId, keyId }) {
      const found = keyId == null ? undefined : await findKeyById(database, keyId, clock());
      const caller =
        keyId == null
          ? await ofTeam(teamId).catch(unlessGone)
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

/** A member of a team without a key. */
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
/** Where the database cannot tell, a revocation by another process counts after this time at the latest. */
const REMEMBERED_MS = 50;

type Find<Found> = (nowMs: number) => Promise<Found | undefined>;

/** What was found in the database a moment ago, until another process writes to it. */
class Remembered<Found extends object> {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #remembered = new LRUCache<string, { readonly found: Found; readonly untilMs: number }>({
    max: MAX_REMEMBERED,
  });
  /** Looks that have not ended: those who come meanwhile wait for them. */
  #looking = new Map<string, Promise<Found | undefined>>();
  #seenWrites: number | undefined;
  #isFresh = false;

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    this.#seenWrites = database.foreignWrites?.();
  }

  async of(name: string, find: Find<Found>): Promise<Found | undefined> {
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
      // What had to be forgotten meanwhile is not remembered.
      if (found && looking === this.#looking)
        this.#remembered.set(name, { found, untilMs: nowMs + REMEMBERED_MS });
      return found;
    } finally {
      looking.delete(name);
    }
  }

  /** Once for all requests that arrived together: asking the database costs more than the rest. */
  #forgetAfterForeignWrites(): void {
    if (this.#isFresh) return;
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
    const writes = this.#database.foreignWrites?.();
    if (writes === this.#seenWrites) return;
    this.#seenWrites = writes;
    this.forget();
  }
}
