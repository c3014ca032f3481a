import { ServiceError } from "../contract/errors.ts";
import type { Database } from "../platform/database/database.ts";
import { Books } from "./ledger.ts";
import { monthStart, periodOf } from "./periods.ts";
import type { Team } from "./teams.ts";
import { keyCreditsUsed } from "./usage.ts";

/** Who pays. */
export interface Payer {
  readonly team: Team;
  readonly keyId?: string | undefined;
  /** Most credits the key may use in a calendar month; undefined for any. */
  readonly keyCredits?: number | undefined;
}

/** What this process knows of the credits of a team or a key. The ledger has the last word on each charge. */
export interface Purse {
  /** As of the last look or charge. */
  balance: number;
  /** Set aside, or charged and not yet written. */
  held: number;
}

/** Purses that have to cover the work of one payer; none when credits never run out. */
export interface PayerPurses {
  readonly team?: Purse;
  readonly key?: Purse;
}

interface LoadedPurse extends Purse {
  /** Counts changes by charges, so that an older look does not overwrite a newer one. */
  charges: number;
  /** The balance has to be looked up anew from then on, or when the terms have changed. */
  validUntilMs: number;
  terms: string;
}

interface Terms {
  readonly id: string;
  readonly terms: string;
  readonly endMs: number;
  readonly lookUp: () => Promise<number>;
}

/** Purses kept in memory, but for those in use. */
const MOST_REMEMBERED = 10_000;

/** Sets credits aside in this process: more than is left is never promised, whoever asks at the same time. */
export class Purses {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #purses = new Map<string, LoadedPurse>();

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws ServiceError insufficient_credits when less than the amount is left. */
  async require(payer: Payer, amount: number): Promise<PayerPurses> {
    const purses = await this.#pursesOf(payer, false);
    if (covers(purses, amount)) return purses;
    // Credits may have been added by another process.
    const fresh = await this.#pursesOf(payer, true);
    if (covers(fresh, amount)) return fresh;
    throw insufficientCredits(fresh, amount);
  }

  /** Sets the amount aside. @throws ServiceError insufficient_credits when less is left. */
  async take(payer: Payer, amount: number): Promise<PayerPurses> {
    const purses = await this.require(payer, amount);
    // Others may have taken theirs between the look and now.
    if (!covers(purses, amount)) throw insufficientCredits(purses, amount);
    add(purses, amount);
    return purses;
  }

  /** What is left to a team beside what is held; undefined when its credits never run out. */
  async remaining(team: Team): Promise<number | undefined> {
    if (!team.isLimited) return undefined;
    const { balance, held } = await this.#load(this.#termsOfTeam(team), true);
    return Math.max(0, balance - held);
  }

  async #pursesOf({ team, keyId, keyCredits }: Payer, isFresh: boolean): Promise<PayerPurses> {
    if (!team.isLimited && keyCredits === undefined) return NO_PURSES;
    const isKeyLimited = keyId !== undefined && keyCredits !== undefined;
    return {
      ...(team.isLimited && { team: await this.#load(this.#termsOfTeam(team), isFresh) }),
      ...(isKeyLimited && {
        key: await this.#load(this.#termsOfKey(team.id, keyId, keyCredits), isFresh),
      }),
    };
  }

  async #load({ id, terms, endMs, lookUp }: Terms, isFresh: boolean): Promise<Purse> {
    const known = this.#purses.get(id);
    if (known && !isFresh && known.terms === terms && this.#clock() < known.validUntilMs) return known;
    const chargesBefore = known?.charges ?? 0;
    const balance = await lookUp();
    const purse = this.#purses.get(id) ?? { balance, held: 0, charges: 0, validUntilMs: endMs, terms };
    if (purse.charges === chargesBefore) purse.balance = balance;
    purse.validUntilMs = endMs;
    purse.terms = terms;
    this.#keep(id, purse);
    return purse;
  }

  /** The last looked up is the last forgotten; a purse that something is held in stays. */
  #keep(id: string, purse: LoadedPurse): void {
    this.#purses.delete(id);
    this.#purses.set(id, purse);
    if (this.#purses.size <= MOST_REMEMBERED) return;
    for (const [oldId, old] of this.#purses) {
      if (old.held > 0) continue;
      this.#purses.delete(oldId);
      return;
    }
  }

  #termsOfTeam(team: Team): Terms {
    const { allowance } = team;
    return {
      id: `team ${team.id}`,
      terms: allowance ? `${allowance.credits} per ${allowance.period}` : "",
      endMs: allowance ? periodOf(allowance.period, this.#clock()).endMs : Number.POSITIVE_INFINITY,
      lookUp: () =>
        this.#database.transaction(async (inside) => {
          const books = await Books.open(inside, team.id);
          await books.renewAllowance(team, this.#clock());
          await books.save();
          return books.balance;
        }),
    };
  }

  #termsOfKey(teamId: string, keyId: string, credits: number): Terms {
    const nowMs = this.#clock();
    return {
      id: `key ${keyId}`,
      terms: String(credits),
      endMs: monthStart(nowMs, 1),
      lookUp: async () =>
        credits - (await keyCreditsUsed(this.#database, { teamId, keyId, month: monthStart(nowMs) })),
    };
  }
}

const NO_PURSES: PayerPurses = {};

/** Sets more aside. @throws ServiceError insufficient_credits when less is left; nothing has changed then. */
export function takeMore(purses: PayerPurses, amount: number): void {
  if (!covers(purses, amount)) throw insufficientCredits(purses, amount);
  add(purses, amount);
}

/** Gives back what was set aside, without a charge. */
export function giveBack(purses: PayerPurses, held: number): void {
  add(purses, -held);
}

/** Notes a charge that is written, and gives back what was set aside for it. */
export function noteCharge(
  { team, key }: PayerPurses,
  {
    held,
    amount,
    balance,
  }: { readonly held: number; readonly amount: number; readonly balance: number | undefined },
): void {
  if (team && balance !== undefined) note(team as LoadedPurse, held, balance);
  if (key) note(key as LoadedPurse, held, key.balance - amount);
}

function note(purse: LoadedPurse, held: number, balance: number): void {
  purse.held -= held;
  purse.balance = balance;
  purse.charges += 1;
}

function covers({ team, key }: PayerPurses, amount: number): boolean {
  return [team, key].every((purse) => !purse || purse.balance - purse.held >= amount);
}

function add({ team, key }: PayerPurses, amount: number): void {
  if (team) team.held += amount;
  if (key) key.held += amount;
}

function insufficientCredits({ team, key }: PayerPurses, amount: number): ServiceError {
  const keyIsShort = key !== undefined && key.balance - key.held < amount;
  const short = keyIsShort ? key : team;
  const left = short ? Math.max(0, short.balance - short.held) : 0;
  const reason = keyIsShort
    ? "this API key has used its credits of the month"
    : "the operator of this service can add some";
  return new ServiceError("insufficient_credits", {
    message: `Insufficient credits to perform this request. It needs ${amount}, ${left} are left; ${reason}.`,
  });
}
