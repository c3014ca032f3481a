import { ServiceError } from "../api/errors.ts";
import type { Database } from "../storage/database/database.ts";
import { LedgerAccounts } from "./ledger.ts";
import { allottedOf } from "./ledger-rows.ts";
import { monthStart, periodOf } from "./periods.ts";
import type { Team } from "./teams.ts";
import { keyCreditsUsed } from "./usage.ts";

export interface Payer {
  readonly team: Team;
  readonly keyId?: string | undefined;
  /** Maximum credits of the key per calendar month; undefined: no limit. */
  readonly keyCredits?: number | undefined;
}

/** The credits of a team or key as this process knows them. The ledger decides on each charge. */
interface Funds {
  /** As of the last read or charge. */
  balance: number;
  /** Credits that are set aside, or charged and not written yet. */
  held: number;
  /** Number of charges, so that an older read does not overwrite a newer balance. */
  charges: number;
  /** The balance has to be read again after this time, or when the terms have changed. */
  validUntilMs: number;
  terms: string;
}

interface Terms {
  readonly id: string;
  readonly terms: string;
  readonly endMs: number;
  readonly lookUp: () => Promise<number>;
}

interface TermsOfPayer {
  readonly ofTeam?: Terms | undefined;
  readonly ofKey?: Terms | undefined;
}

/** Maximum teams and keys whose funds stay in memory. Funds in use stay beyond that. */
const MAX_REMEMBERED = 10_000;

/** Sets credits aside in this process, so that concurrent requests never hold more than is left. */
export class Balances {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #funds = new Map<string, Funds>();
  /** Of payers that were looked up. Their times and look-ups are of then. */
  readonly #names = new WeakMap<Payer, TermsOfPayer>();
  /** Pending first reads, which concurrent callers share. */
  readonly #looking = new Map<string, Promise<number>>();

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The funds, if they are known and cover the amount: most requests need not wait for a read. */
  covering(payer: Payer, amount: number): PayerFunds | undefined {
    const { ofTeam, ofKey } = this.#names.get(payer) ?? this.#termsOf(payer);
    this.#names.set(payer, { ofTeam, ofKey });
    const team = ofTeam && this.#known(ofTeam);
    const key = ofKey && this.#known(ofKey);
    if ((ofTeam && !team) || (ofKey && !key)) return undefined;
    const funds = new PayerFunds(team, key);
    return funds.cover(amount) ? funds : undefined;
  }

  /** @throws ServiceError insufficient_credits when less than the amount is left. */
  async require(payer: Payer, amount: number): Promise<PayerFunds> {
    const funds = await this.#fundsOf(payer, false);
    if (funds.cover(amount)) return funds;
    // Another process may have added credits.
    const fresh = await this.#fundsOf(payer, true);
    fresh.require(amount);
    return fresh;
  }

  /** Sets the amount aside. @throws ServiceError insufficient_credits when less than the amount is left. */
  async take(payer: Payer, amount: number): Promise<PayerFunds> {
    const funds = this.covering(payer, amount) ?? (await this.require(payer, amount));
    // Concurrent callers may have taken credits since the read, so this checks again.
    funds.take(amount);
    return funds;
  }

  /** Credits of a team that are not held; undefined when its credits are unlimited. */
  async remaining(team: Team): Promise<number | undefined> {
    if (!team.isLimited) return undefined;
    const { balance, held } = await this.#load(this.#termsOfTeam(team), true);
    return Math.max(0, balance - held);
  }

  /** Credits that a payer can still spend and that are not held; undefined when they are unlimited. */
  async left(payer: Payer): Promise<number | undefined> {
    return (await this.#fundsOf(payer, true)).left;
  }

  async #fundsOf(payer: Payer, isFresh: boolean): Promise<PayerFunds> {
    const { ofTeam, ofKey } = this.#termsOf(payer);
    const team = ofTeam && (await this.#load(ofTeam, isFresh));
    return new PayerFunds(team, ofKey && (await this.#load(ofKey, isFresh)));
  }

  #termsOf({ team, keyId, keyCredits }: Payer): TermsOfPayer {
    return {
      ...(team.isLimited && { ofTeam: this.#termsOfTeam(team) }),
      ...(keyId !== undefined &&
        keyCredits !== undefined && { ofKey: this.#termsOfKey(team.id, keyId, keyCredits) }),
    };
  }

  #known({ id, terms }: Pick<Terms, "id" | "terms">): Funds | undefined {
    const known = this.#funds.get(id);
    return known?.terms === terms && this.#clock() < known.validUntilMs ? known : undefined;
  }

  async #load(wanted: Terms, isFresh: boolean): Promise<Funds> {
    const { id, terms, endMs, lookUp } = wanted;
    const known = isFresh ? undefined : this.#known(wanted);
    if (known) return known;
    const chargesBefore = this.#funds.get(id)?.charges ?? 0;
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

  /** Evicts the least recently read funds first. Funds with holds stay. */
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

/**
 * The funds that pay for one payer's work: of the team, the key, or both. Empty when credits are unlimited.
 */
export class PayerFunds {
  readonly #team: Funds | undefined;
  readonly #key: Funds | undefined;

  readonly #all: readonly Funds[];

  constructor(team: Funds | undefined, key: Funds | undefined) {
    this.#team = team;
    this.#key = key;
    this.#all = [team, key].filter((funds) => funds !== undefined);
  }

  /** Credits that are not held; undefined when they are unlimited. */
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

  /**
   * Sets the amount aside.
   * @throws ServiceError insufficient_credits when less is left; then nothing changes.
   */
  take(amount: number): void {
    this.require(amount);
    for (const funds of this.#all) funds.held += amount;
  }

  /** Returns credits that were set aside, without a charge. */
  giveBack(held: number): void {
    for (const funds of this.#all) funds.held -= held;
  }

  /**
   * Records a written charge, for which `held` was set aside.
   * @param balance of the team after the charge.
   */
  charged(held: number, amount: number, balance: number | undefined): void {
    this.giveBack(held);
    if (this.#team && balance !== undefined) note(this.#team, balance);
    if (this.#key) note(this.#key, this.#key.balance - amount);
  }
}

function note(funds: Funds, balance: number): void {
  funds.balance = balance;
  funds.charges += 1;
}
