import type { AuditEvent, AuditLog } from "../accounts/audit.ts";
import type { Payer } from "../accounts/balances.ts";
import type { Companion } from "../accounts/companion.ts";
import type { Credits, Hold } from "../accounts/credits.ts";
import type { EndedWork } from "./ended-work.ts";
import type { WorkRecord } from "./work.ts";

export interface SettlementServices<Record extends WorkRecord = WorkRecord> {
  readonly credits: Pick<Credits, "hold">;
  readonly audit: Pick<AuditLog, "write" | "note">;
  readonly figures: { count(ended: EndedWork): void };
  readonly records: { add(record: Record): void };
}

/** How work ended, and what is to be written of it. */
export interface WorkEnd<Record extends WorkRecord = WorkRecord> {
  readonly credits: number;
  /** Written in the transaction of the charge, even of a charge of nothing. */
  readonly companions?: readonly Companion[];
  readonly audit?: readonly AuditEvent[];
  /** Whether the audit events are kept before the answer goes out. What cannot be kept now is tried again. */
  readonly isAuditAwaited?: boolean;
  /** What the history keeps; undefined where it may keep nothing. */
  readonly record?: (() => Record | Promise<Record>) | undefined;
  readonly figure?: EndedWork;
}

/** The hold and the charge of work. */
export interface PricedWork {
  /** Makes that the work is charged once. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly payer: Payer;
  /** The most that it can cost, as far as is known. */
  readonly amount: number;
}

/** Settles work of all kinds. */
export class Settlements<Record extends WorkRecord = WorkRecord> {
  readonly #services: SettlementServices<Record>;

  constructor(services: SettlementServices<Record>) {
    this.#services = services;
  }

  /**
   * Sets aside what the work can cost.
   * @throws ServiceError insufficient_credits when the team has less; billing_unavailable.
   */
  async open(work: PricedWork): Promise<Settlement<Record>> {
    return new Settlement(await this.#services.credits.hold(work), this.#services);
  }
}

/** What becomes of one piece of work in the accounts, the audit log, the history and the figures, whatever its kind. */
export class Settlement<Record extends WorkRecord = WorkRecord> {
  readonly #hold: Hold;
  readonly #services: Omit<SettlementServices<Record>, "credits">;

  constructor(hold: Hold, services: Omit<SettlementServices<Record>, "credits">) {
    this.#hold = hold;
    this.#services = services;
  }

  /** Raises what is set aside. @throws ServiceError insufficient_credits; what was set aside stays so. */
  extend(amount: number): Promise<void> {
    return this.#hold.extend(amount);
  }

  /** Writes down what is set aside, before anything leaves the service. @throws ServiceError billing_unavailable. */
  secure(): Promise<void> {
    return this.#hold.secure();
  }

  /**
   * Charges the work with its companions, then audits, records and counts it. Resolves once no crash can undo the
   * charge: answer after that. The first of `settle` and `release` counts.
   * @returns false when a companion said that it is not due: nothing is charged or noted then.
   * @throws ServiceError as `Hold.settle`.
   */
  async settle(end: WorkEnd<Record>): Promise<boolean> {
    const { audit, figures, records } = this.#services;
    if (!(await this.#hold.settle(end.credits, ...(end.companions ?? [])))) return false;
    for (const event of end.audit ?? []) {
      if (end.isAuditAwaited) await audit.write(event).catch(() => undefined);
      else audit.note(event);
    }
    if (end.figure) figures.count(end.figure);
    if (end.record) records.add(await end.record());
    return true;
  }

  /** Gives everything back, for work that was never begun. */
  release(): Promise<void> {
    return this.#hold.release();
  }
}
