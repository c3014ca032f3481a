import { ServiceError } from "../api/errors.ts";
import type { Database } from "../storage/database/database.ts";
import type { HoldOwner } from "./abandoned-holds.ts";
import { Balances, type Payer, type PayerFunds } from "./balances.ts";
import { type AlsoWrite, type Charge, LedgerAccounts, LedgerStore } from "./ledger.ts";
import { monthStart } from "./periods.ts";
import { getTeam, type Team } from "./teams.ts";
import { creditsUsed } from "./usage.ts";

/** Work that is going to cost at most `amount`, as far as is known yet. */
export interface Work {
  /** Prevents a second charge of the same work. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly payer: Payer;
  readonly amount: number;
}

/** Credits set aside for one piece of work. The first of `charge` and `release` counts. */
export interface Hold {
  /**
   * Raises what is held to `amount`, when more becomes known: the pages of a document, say.
   * @throws ServiceError insufficient_credits when the team has less; what was held stays held.
   */
  extend(amount: number): Promise<void>;
  /**
   * Writes the hold down, before anything leaves the service on its account.
   * @throws ServiceError billing_unavailable when the ledger cannot be written.
   */
  secure(): Promise<void>;
  /**
   * Charges what the work really cost. Resolves once no crash can undo it: answer after that.
   * @param alsoWrite what is written with the charge, even one of nothing.
   * @returns false when that did not pay, because the work was not due: nothing is charged then.
   * @throws ServiceError insufficient_credits when the team could not pay, which `alsoWrite` knows; billing_unavailable
   * when the ledger or the rows beside it cannot be written. Nothing is charged then.
   */
  charge(amount: number, alsoWrite?: AlsoWrite): Promise<boolean>;
  /** Gives everything back. */
  release(): Promise<void>;
}

/** What is left to a team. */
export interface Balance {
  /** Without what is held; undefined when credits never run out. */
  readonly remaining: number | undefined;
  /** In the present calendar month, UTC. */
  readonly usedThisMonth: number;
}

export interface Credits {
  /** @throws ServiceError insufficient_credits when nothing is left at all. */
  requireAny(payer: Payer): Promise<void>;
  /** What the payer may yet spend, besides what is held; undefined when that never runs out. */
  left(payer: Payer): Promise<number | undefined>;
  /** @throws ServiceError insufficient_credits when less than the amount is left. */
  hold(work: Work): Promise<Hold>;
  balance(team: Team): Promise<Balance>;
  /** Adds prepaid credits; the team's credits can run out from now on. @returns what is left. */
  topUp(teamId: string, amount: number): Promise<number>;
  /** Resolves when everything charged so far is written. */
  flush(): Promise<void>;
}

interface CreditsOptions {
  readonly database: Database;
  /** In whose name holds are written. */
  readonly owner: HoldOwner;
  /** True: work without a key of a team whose credits never run out is counted, without an entry each. */
  readonly countsOnly?: boolean;
  readonly clock?: () => number;
  /** Called when usage that is written in the background could not be stored. */
  readonly onError?: (failure: unknown) => void;
}

/** A disk is rarely freed faster. */
const RETRY_AFTER_SECONDS = 5;

/** Opens the books of all teams. */
export function openCredits(options: CreditsOptions): Credits {
  const { database, owner, countsOnly = false, clock = Date.now, onError = () => undefined } = options;
  const balances = new Balances(database, clock);
  const ledger = new LedgerStore(database, owner);

  async function hold(work: Work): Promise<Hold> {
    const taken = await balances.take(work.payer, work.amount).catch(rethrowBilling);
    const { team, keyId } = work.payer;
    const hasEntry = !countsOnly || team.isLimited || keyId !== undefined;
    return new HeldCredits(work, { funds: taken, ledger, hasEntry, onError });
  }

  return {
    async requireAny(payer) {
      await balances.require(payer, 1).catch(rethrowBilling);
    },
    left: (payer) => balances.left(payer).catch(rethrowBilling),
    hold,
    async balance(team) {
      await ledger.flush();
      const usedThisMonth = await creditsUsed(database, team.id, monthStart(clock()), monthStart(clock(), 1));
      return { remaining: await balances.remaining(team), usedThisMonth };
    },
    async topUp(teamId, amount) {
      const team = await getTeam(database, teamId);
      await addPrepaid(database, team.id, amount);
      return (await balances.remaining({ ...team, isLimited: true })) ?? 0;
    },
    flush: () => ledger.flush(),
  };
}

async function addPrepaid(database: Database, teamId: string, amount: number): Promise<void> {
  await database.transaction(async (tx) => {
    const books = await LedgerAccounts.open(tx, teamId);
    if (amount > 0) await books.topUp(amount);
    await books.save();
    await tx.prepared("UPDATE teams SET is_limited = 1 WHERE id = ?").run(teamId);
  });
}

interface HoldParts {
  readonly funds: PayerFunds;
  readonly ledger: LedgerStore;
  readonly hasEntry: boolean;
  readonly onError: (failure: unknown) => void;
}

class HeldCredits implements Hold {
  readonly #work: Work;
  readonly #parts: HoldParts;
  #held: number;
  #writing: Promise<void> | undefined;
  #closing: Promise<boolean> | undefined;

  constructor(work: Work, parts: HoldParts) {
    this.#work = work;
    this.#parts = parts;
    this.#held = work.amount;
  }

  async extend(amount: number): Promise<void> {
    if (this.#closing || amount <= this.#held) return;
    this.#parts.funds.take(amount - this.#held);
    this.#held = amount;
    if (this.#writing) await (this.#writing = this.#write());
  }

  async secure(): Promise<void> {
    if (this.#closing || this.#writing || !this.#parts.hasEntry) return;
    await (this.#writing = this.#write());
  }

  async charge(amount: number, alsoWrite?: AlsoWrite): Promise<boolean> {
    await this.extend(amount);
    this.#closing ??= this.#charge(amount, alsoWrite);
    return this.#closing;
  }

  async release(): Promise<void> {
    await this.charge(0);
  }

  async #charge(amount: number, alsoWrite: AlsoWrite | undefined): Promise<boolean> {
    const { funds, ledger, hasEntry, onError } = this.#parts;
    // A hold that is written after its charge would stay.
    await this.#writing?.catch(() => undefined);
    const charge = this.#chargeOf(amount);
    if (!alsoWrite && (amount === 0 || !hasEntry)) {
      funds.giveBack(this.#held);
      const written = hasEntry ? ledger.chargeLater(charge) : ledger.count(charge);
      written?.catch(onError);
      return true;
    }
    const { outcome, balance } = await ledger.charge(charge, alsoWrite).catch((cause: unknown) => {
      funds.giveBack(this.#held);
      throw billingUnavailable(cause);
    });
    if (outcome === "charged") funds.charged(this.#held, amount, balance);
    else funds.giveBack(this.#held);
    if (outcome === "unpaid") throw new ServiceError("insufficient_credits");
    return outcome === "charged";
  }

  #chargeOf(amount: number): Charge {
    const { id, startedAtMs, payer } = this.#work;
    return {
      id,
      amount,
      team: payer.team,
      keyId: payer.keyId ?? null,
      startedAtMs,
      hasEntry: this.#parts.hasEntry,
      isSecured: this.#writing !== undefined,
    };
  }

  async #write(): Promise<void> {
    const { id, payer } = this.#work;
    const hold = { id, teamId: payer.team.id, keyId: payer.keyId ?? null, amount: this.#held };
    await this.#parts.ledger.secure(hold).catch((cause: unknown) => {
      throw billingUnavailable(cause);
    });
  }
}

function billingUnavailable(cause: unknown): ServiceError {
  return new ServiceError("billing_unavailable", { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** A ledger that cannot be read is reported like one that cannot be written. */
function rethrowBilling(failure: unknown): never {
  throw failure instanceof ServiceError ? failure : billingUnavailable(failure);
}
