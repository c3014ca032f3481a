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

/** How work ended, and what to write about it. */
export interface WorkEnd<Record extends WorkRecord = WorkRecord> {
  readonly credits: number;
  /** Written in the transaction of the charge, even if the charge is 0. */
  readonly companions?: readonly Companion[];
  readonly audit?: readonly AuditEvent[];
  /** Whether the audit events are stored before the response is sent. Failed writes are retried. */
  readonly isAuditAwaited?: boolean;
  /** The row of the history; undefined when nothing may be stored. */
  readonly record?: (() => Record | Promise<Record>) | undefined;
  readonly figure?: EndedWork;
  /** What ended it. */
  readonly failure?: unknown;
}

/** The hold and the charge of work. */
export interface PricedWork {
  /** Prevents a second charge of the same work. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly payer: Payer;
  /** The maximum price known so far. */
  readonly amount: number;
}

/** Settles work of all kinds. */
export class Settlements<Record extends WorkRecord = WorkRecord> {
  readonly #credits: SettlementServices["credits"];
  readonly #parts: SettledParts<Record>;
  readonly #settled = new WeakSet<object>();

  constructor({ credits, ...services }: SettlementServices<Record>) {
    this.#credits = credits;
    this.#parts = { ...services, settled: (failure) => void this.#settled.add(failure) };
  }

  /** Whether a failure ended work that was settled, so that it is counted already. */
  hasSettled(failure: unknown): boolean {
    return typeof failure === "object" && failure !== null && this.#settled.has(failure);
  }

  /**
   * Holds the maximum price of the work.
   * @throws ServiceError insufficient_credits when the team has less; billing_unavailable.
   */
  async open(work: PricedWork): Promise<Settlement<Record>> {
    return new Settlement(await this.#credits.hold(work), this.#parts);
  }
}

interface SettledParts<Record extends WorkRecord> extends Omit<SettlementServices<Record>, "credits"> {
  /** Called with the failure of work that is settled. */
  readonly settled?: (failure: object) => void;
}

/** Writes the end of one piece of work of any kind to the accounts, the audit log, the history and the figures. */
export class Settlement<Record extends WorkRecord = WorkRecord> {
  readonly #hold: Hold;
  readonly #services: SettledParts<Record>;

  constructor(hold: Hold, services: SettledParts<Record>) {
    this.#hold = hold;
    this.#services = services;
  }

  /** Raises the hold. @throws ServiceError insufficient_credits; the hold then stays as it was. */
  extend(amount: number): Promise<void> {
    return this.#hold.extend(amount);
  }

  /** Writes the hold to the database, before the service sends anything. @throws ServiceError billing_unavailable. */
  secure(): Promise<void> {
    return this.#hold.secure();
  }

  /**
   * Charges the work with its companions, then writes audit events, history and figures. Resolves once no crash can undo the
   * charge: answer after that. The first of `settle` and `release` counts.
   * @returns false when a companion is not due: nothing is charged or written then.
   * @throws ServiceError as `Hold.settle`.
   */
  async settle(end: WorkEnd<Record>): Promise<boolean> {
    const { audit, figures, records, settled } = this.#services;
    if (!(await this.#hold.settle(end.credits, ...(end.companions ?? [])))) return false;
    for (const event of end.audit ?? []) {
      if (end.isAuditAwaited) await audit.write(event).catch(() => undefined);
      else audit.note(event);
    }
    if (end.figure) figures.count(end.figure);
    if (typeof end.failure === "object" && end.failure !== null) settled?.(end.failure);
    if (end.record) records.add(await end.record());
    return true;
  }

  /** Releases the hold of work that never started. */
  release(): Promise<void> {
    return this.#hold.release();
  }
}
