import type { AuditEvent, AuditLog } from "./audit.ts";
import type { Credits, Hold, Work } from "./credits.ts";
import type { AlsoWrite } from "./ledger.ts";
import type { EndedWork, WorkRecord } from "./work.ts";

export interface ChargeServices<Record extends WorkRecord = WorkRecord> {
  readonly credits: Pick<Credits, "hold" | "count">;
  readonly audit: Pick<AuditLog, "write" | "note">;
  readonly figures: { count(ended: EndedWork): void };
  readonly records: { add(record: Record): void };
}

/** How work ended, and what to write about it. */
export interface WorkEnd<Record extends WorkRecord = WorkRecord> {
  readonly credits: number;
  readonly alsoWrite?: AlsoWrite | undefined;
  readonly audit?: readonly AuditEvent[];
  /** Whether the response waits until the audit events are stored. Failed writes are retried. */
  readonly isAuditAwaited?: boolean;
  /** The row of the history; undefined when it must not be stored. */
  readonly record?: (() => Record | Promise<Record>) | undefined;
  readonly figure?: EndedWork;
  /** The failure that ended the work. */
  readonly failure?: unknown;
}

/** Charges all kinds of work, and writes their end to the audit log, the history and the figures. */
export class Charges<Record extends WorkRecord = WorkRecord> {
  readonly #services: ChargeServices<Record>;
  readonly #charged = new WeakSet<object>();

  constructor(services: ChargeServices<Record>) {
    this.#services = services;
  }

  /** Holds the maximum price of the work. @throws as `Credits.hold`. */
  hold(work: Work): Promise<Hold> {
    return this.#services.credits.hold(work);
  }

  /**
   * Counts and records work that has ended and that nobody pays for.
   * @param figure belongs to the record.
   * @returns false when it needs a hold and a charge; then nothing is written.
   */
  count(work: Work, { figure, record }: { readonly figure: EndedWork; readonly record: Record }): boolean {
    const { credits, figures, records } = this.#services;
    if (!credits.count(work)) return false;
    figures.count(figure);
    records.add(record);
    return true;
  }

  /**
   * Charges the hold, then writes audit events, history and figures. Resolves once no crash can undo the
   * charge, so answer only after that.
   * @returns false when the work was not due: then nothing is charged or written.
   * @throws ServiceError as `Hold.charge`.
   */
  async charge(hold: Hold, end: WorkEnd<Record>): Promise<boolean> {
    const { audit, figures, records } = this.#services;
    if (!(await hold.charge(end.credits, end.alsoWrite))) return false;
    for (const event of end.audit ?? []) {
      if (end.isAuditAwaited) await audit.write(event).catch(() => undefined);
      else audit.note(event);
    }
    if (end.figure) figures.count(end.figure);
    if (typeof end.failure === "object" && end.failure !== null) this.#charged.add(end.failure);
    const record = end.record?.();
    if (record) records.add(record instanceof Promise ? await record : record);
    return true;
  }

  /** Whether work that ended with this failure was charged, and therefore counted already. */
  hasCharged(failure: unknown): boolean {
    return typeof failure === "object" && failure !== null && this.#charged.has(failure);
  }
}
