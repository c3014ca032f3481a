import { ServiceError } from "../api/errors.ts";
import type { Database } from "../storage/database/database.ts";
import type { HoldOwner } from "./abandoned-holds.ts";
import { Balances, type Payer, type PayerFunds } from "./balances.ts";
import { type AlsoWrite, type Charge, LedgerAccounts, LedgerStore } from "./ledger.ts";
import { monthStart } from "./periods.ts";
import { getTeam, type Team } from "./teams.ts";
import { creditsUsed } from "./usage.ts";

/** Work that costs at most `amount`, as far as is known when it starts. */
export interface Work {
  /** Identifies the charge, so that the same work is never charged twice. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly payer: Payer;
  readonly amount: number;
  /** Nothing is charged after this time: the caller was told that the work failed. Default: no limit. */
  readonly untilMs?: number | undefined;
}

/** Credits set aside for one piece of work. The first call of `charge` or `release` wins. */
export interface Hold {
  /**
   * Raises the held credits to `amount` when the work turns out to cost more, such as after the pages of a
   * document are counted.
   * @throws ServiceError insufficient_credits when the team has less; the earlier hold remains.
   */
  extend(amount: number): Promise<void>;
  /**
   * Writes the hold to the ledger, before the work sends anything out of the service.
   * @throws ServiceError billing_unavailable when the ledger cannot be written.
   */
  secure(): Promise<void>;
  /**
   * Charges the actual cost. Resolves once no crash can undo the charge, so answer only after that.
   * @param alsoWrite writes rows in the transaction of the charge, even when the amount is 0.
   * @returns false when `alsoWrite` did not pay because the work was not due: then nothing is charged.
   * @throws ServiceError insufficient_credits when the team could not pay, which `alsoWrite` learns from
   * `pay`; billing_unavailable when the ledger or the rows beside it cannot be written. In both cases nothing
   * is charged.
   */
  charge(amount: number, alsoWrite?: AlsoWrite): Promise<boolean>;
  /** Returns all held credits. */
  release(): Promise<void>;
}

export interface Balance {
  /** Credits that are not held; undefined when they are unlimited. */
  readonly remaining: number | undefined;
  /** Credits used in the current calendar month (UTC). */
  readonly usedThisMonth: number;
}

export interface Credits {
  /** @returns a promise only when the credits have to be read. @throws ServiceError insufficient_credits when none are left. */
  requireAny(payer: Payer): Promise<void> | undefined;
  /** Credits that the payer can still spend and that are not held; undefined when they are unlimited. */
  left(payer: Payer): Promise<number | undefined>;
  /** @throws ServiceError insufficient_credits when less than the amount is left. */
  hold(work: Work): Promise<Hold>;
  /**
   * Counts work that has ended in the usage of the month, if nobody has to pay for it.
   * @returns false when it needs a hold and a charge.
   */
  count(work: Work): boolean;
  balance(team: Team): Promise<Balance>;
  /** Adds prepaid credits. From then on the team's credits are limited. @returns the remaining credits. */
  topUp(teamId: string, amount: number): Promise<number>;
  /** Resolves when everything charged so far is written. */
  flush(): Promise<void>;
}

interface CreditsOptions {
  readonly database: Database;
  /** The name under which holds are written. */
  readonly owner: HoldOwner;
  /**
   * True: usage without a key by teams with unlimited credits is only counted, without a ledger entry each.
   */
  readonly countsOnly?: boolean;
  readonly clock?: () => number;
  /** Called when usage that is written in the background could not be stored. */
  readonly onError?: (failure: unknown) => void;
}

/** Seconds. Full disks are rarely freed faster. */
const RETRY_AFTER_SECONDS = 5;

export function openCredits(options: CreditsOptions): Credits {
  const { database, owner, countsOnly = false, clock = Date.now, onError = () => undefined } = options;
  const balances = new Balances(database, clock);
  const ledger = new LedgerStore(database, owner);

  const hasEntryOf = ({ team, keyId }: Payer) => !countsOnly || team.isLimited || keyId !== undefined;

  async function hold(work: Work): Promise<Hold> {
    const { payer, amount } = work;
    const covering = balances.covering(payer, amount);
    covering?.take(amount);
    const funds = covering ?? (await balances.take(payer, amount).catch(rethrowBilling));
    return new HeldCredits(work, { funds, ledger, hasEntry: hasEntryOf(payer), onError });
  }

  return {
    requireAny(payer) {
      if (!hasEntryOf(payer) || balances.covering(payer, 1)) return;
      return balances.require(payer, 1).then(() => undefined, rethrowBilling);
    },
    left: (payer) => balances.left(payer).catch(rethrowBilling),
    hold,
    count(work) {
      if (hasEntryOf(work.payer)) return false;
      ledger.count(chargeOf(work, { hasEntry: false, isSecured: false }))?.catch(onError);
      return true;
    },
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

  charge(amount: number, alsoWrite?: AlsoWrite): Promise<boolean> {
    const close = () => (this.#closing ??= this.#charge(amount, alsoWrite));
    return amount > this.#held ? this.extend(amount).then(close) : close();
  }

  async release(): Promise<void> {
    await this.charge(0);
  }

  async #charge(amount: number, alsoWrite: AlsoWrite | undefined): Promise<boolean> {
    const { funds, ledger, hasEntry, onError } = this.#parts;
    // A hold that is written after its charge would never be released.
    if (this.#writing) await this.#writing.catch(() => undefined);
    const charge = chargeOf({ ...this.#work, amount }, { hasEntry, isSecured: this.#writing !== undefined });
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

  async #write(): Promise<void> {
    const { id, payer } = this.#work;
    const hold = { id, teamId: payer.team.id, keyId: payer.keyId ?? null, amount: this.#held };
    await this.#parts.ledger.secure(hold).catch((cause: unknown) => {
      throw billingUnavailable(cause);
    });
  }
}

function chargeOf(
  { id, startedAtMs, payer: { team, keyId }, untilMs, amount }: Work,
  { hasEntry, isSecured }: Pick<Charge, "hasEntry" | "isSecured">,
): Charge {
  return { untilMs, id, amount, team, keyId: keyId ?? null, startedAtMs, hasEntry, isSecured };
}

function billingUnavailable(cause: unknown): ServiceError {
  return new ServiceError("billing_unavailable", { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Failed reads of the ledger are reported like failed writes. */
function rethrowBilling(failure: unknown): never {
  throw failure instanceof ServiceError ? failure : billingUnavailable(failure);
}
