import { ServiceError } from "../api/errors.ts";
import type { Database } from "../storage/database/database.ts";
import { LedgerAccounts } from "./ledger.ts";
import { allottedOf } from "./ledger-rows.ts";
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
interface Funds {
  /** As of the last look or charge. */
  balance: number;
  /** Set aside, or charged and not yet written. */
  held: number;
  /** Counts changes by charges, so that an older look does not overwrite a newer one. */
  charges: number;
  /** The balance has to be looked up again from then on, or when the terms have changed. */
  validUntilMs: number;
  terms: string;
}

interface Terms {
  readonly id: string;
  readonly terms: string;
  readonly endMs: number;
  readonly lookUp: () => Promise<number>;
}

/** Teams and keys whose funds are kept in memory, but for those in use. */
const MAX_REMEMBERED = 10_000;

/** Holds credits in this process: concurrent requests never hold more than is left. */
export class Balances {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #funds = new Map<string, Funds>();
  /** First looks that are under way: those who come meanwhile wait for them. */
  readonly #looking = new Map<string, Promise<number>>();

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws ServiceError insufficient_credits when less than the amount is left. */
  async require(payer: Payer, amount: number): Promise<PayerFunds> {
    if (isUnlimited(payer)) return NO_FUNDS;
    const funds = await this.#fundsOf(payer, false);
    if (funds.cover(amount)) return funds;
    // Credits may have been added by another process.
    const fresh = await this.#fundsOf(payer, true);
    fresh.require(amount);
    return fresh;
  }

  /** Sets the amount aside. @throws ServiceError insufficient_credits when less is left. */
  async take(payer: Payer, amount: number): Promise<PayerFunds> {
    if (isUnlimited(payer)) return NO_FUNDS;
    const funds = await this.require(payer, amount);
    // Others may have taken theirs between the look and now.
    funds.take(amount);
    return funds;
  }

  /** What is left to a team besides what is held; undefined when its credits never run out. */
  async remaining(team: Team): Promise<number | undefined> {
    if (!team.isLimited) return undefined;
    const { balance, held } = await this.#load(this.#termsOfTeam(team), true);
    return Math.max(0, balance - held);
  }

  /** What a payer may yet spend besides what is held; undefined when that never runs out. */
  async left(payer: Payer): Promise<number | undefined> {
    return (await this.#fundsOf(payer, true)).left;
  }

  async #fundsOf({ team, keyId, keyCredits }: Payer, isFresh: boolean): Promise<PayerFunds> {
    const isKeyLimited = keyId !== undefined && keyCredits !== undefined;
    const ofTeam = team.isLimited ? await this.#load(this.#termsOfTeam(team), isFresh) : undefined;
    const ofKey = isKeyLimited
      ? await this.#load(this.#termsOfKey(team.id, keyId, keyCredits), isFresh)
      : undefined;
    return new PayerFunds(ofTeam, ofKey);
  }

  async #load({ id, terms, endMs, lookUp }: Terms, isFresh: boolean): Promise<Funds> {
    const known = this.#funds.get(id);
    if (known && !isFresh && known.terms === terms && this.#clock() < known.validUntilMs) return known;
    const chargesBefore = known?.charges ?? 0;
    const balance = await (isFresh ? lookUp() : this.#lookOnce(`${id} ${terms} ${endMs}`, lookUp));
    const funds = this.#funds.get(id) ?? { balance, held: 0, charges: 0, validUntilMs: endMs, terms };
    if (funds.charges === chargesBefore) funds.balance = balance;
    funds.validUntilMs = endMs;
    funds.terms = terms;
    this.#keep(id, funds);
    return funds;
  }

  #lookOnce(name: string, lookUp: () => Promise<number>): Promise<number> {
    const looking = this.#looking.get(name) ?? lookUp().finally(() => this.#looking.delete(name));
    this.#looking.set(name, looking);
    return looking;
  }

  /** The last looked up is the last forgotten; funds of which something is held stay. */
  #keep(id: string, funds: Funds): void {
    this.#funds.delete(id);
    this.#funds.set(id, funds);
    if (this.#funds.size <= MAX_REMEMBERED) return;
    for (const [oldId, old] of this.#funds) {
      if (old.held > 0) continue;
      this.#funds.delete(oldId);
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
        this.#database.transaction(async (tx) => {
          const books = await LedgerAccounts.open(tx, team.id);
          await books.renewAllowance(team, this.#clock());
          await books.save();
          return books.balance + (await allottedOf(tx, team.id));
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

function isUnlimited({ team, keyCredits }: Payer): boolean {
  return !team.isLimited && keyCredits === undefined;
}

/** Funds that have to cover the work of one payer; none when credits never run out. */
export class PayerFunds {
  readonly #team: Funds | undefined;
  readonly #key: Funds | undefined;

  constructor(team: Funds | undefined, key: Funds | undefined) {
    this.#team = team;
    this.#key = key;
  }

  /** Besides what is held; undefined when credits never run out. */
  get left(): number | undefined {
    const left = this.#all.map(({ balance, held }) => Math.max(0, balance - held));
    return left.length === 0 ? undefined : Math.min(...left);
  }

  cover(amount: number): boolean {
    return this.#all.every(({ balance, held }) => balance - held >= amount);
  }

  /** @throws ServiceError insufficient_credits when less is left. */
  require(amount: number): void {
    if (this.cover(amount)) return;
    const key = this.#key;
    const keyIsShort = key !== undefined && key.balance - key.held < amount;
    const short = keyIsShort ? key : this.#team;
    const left = short ? Math.max(0, short.balance - short.held) : 0;
    const reason = keyIsShort
      ? "this API key has used its credits for this month"
      : "the operator of this service can add credits";
    throw new ServiceError("insufficient_credits", {
      message: `Insufficient credits to perform this request. It requires ${amount}, ${left} are left; ${reason}.`,
    });
  }

  /** Sets the amount aside. @throws ServiceError insufficient_credits when less is left; nothing has changed then. */
  take(amount: number): void {
    this.require(amount);
    for (const funds of this.#all) funds.held += amount;
  }

  /** Gives back what was set aside, without a charge. */
  giveBack(held: number): void {
    for (const funds of this.#all) funds.held -= held;
  }

  /** Notes a charge that is written, for which `held` was set aside. @param balance of the team afterwards. */
  charged(held: number, amount: number, balance: number | undefined): void {
    this.giveBack(held);
    if (this.#team && balance !== undefined) note(this.#team, balance);
    if (this.#key) note(this.#key, this.#key.balance - amount);
  }

  get #all(): readonly Funds[] {
    return [this.#team, this.#key].filter((funds) => funds !== undefined);
  }
}

function note(funds: Funds, balance: number): void {
  funds.balance = balance;
  funds.charges += 1;
}

const NO_FUNDS = new PayerFunds(undefined, undefined);
