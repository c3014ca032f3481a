import type { AuditEvent } from "../../accounts/audit.ts";
import type { Payer } from "../../accounts/balances.ts";
import type { Companion } from "../../accounts/companion.ts";
import type { Hold, Work } from "../../accounts/credits.ts";
import { ServiceError } from "../../contract/errors.ts";
import type { Statements } from "../../platform/database/database.ts";
import type { ScrapeRecord } from "../../stores/scrapes/scrape-rows.ts";
import {
  type PricedWork,
  type Settlement,
  Settlements,
  type SettlementServices,
} from "../../work/settlement.ts";

/** Of a question that a model has answered. */
export const CREDITS_PER_QUESTION = 1;

/** Where the team's account is, and what is written besides its charges. */
export interface AccountServices extends Omit<SettlementServices<ScrapeRecord>, "credits"> {
  readonly settlements: Settlements<ScrapeRecord>;
}

/** What is written with the charge of a step, when it is known what that is. */
export interface StepEnding {
  isDue(inside: Statements): Promise<boolean>;
  write(inside: Statements, charge: { readonly isCharged: boolean; readonly credits: number }): Promise<void>;
}

/**
 * The credits of one step. The work that it has done asks this account instead of the team's: all of it is one hold,
 * never more than the run may still spend, and one charge, in the transaction that ends the step.
 */
export class StepAccount {
  /** For the work of the step. */
  readonly settlements: Settlements<ScrapeRecord>;
  readonly #settlement: Settlement<ScrapeRecord>;
  readonly #payer: Payer;
  readonly #limit: number;
  readonly #companions: Companion[] = [];
  readonly #afterwards: (() => void)[] = [];
  #held: number = CREDITS_PER_QUESTION;
  #spent = 0;

  private constructor(
    { settlement, payer }: { readonly settlement: Settlement<ScrapeRecord>; readonly payer: Payer },
    limit: number,
    services: AccountServices,
  ) {
    this.#settlement = settlement;
    this.#payer = payer;
    this.#limit = limit;
    const { audit, figures, records } = services;
    const later = (write: () => void) => void this.#afterwards.push(write);
    this.settlements = new Settlements<ScrapeRecord>({
      credits: { hold: (work) => this.#hold(work) },
      audit: {
        write: async (event: AuditEvent) => later(() => audit.note(event)),
        note: (event) => later(() => audit.note(event)),
      },
      figures: { count: (ended) => later(() => figures.count(ended)) },
      records: { add: (record) => later(() => records.add(record)) },
    });
  }

  /**
   * Sets aside what a question costs.
   * @param limit what the run may still spend.
   * @throws ServiceError insufficient_credits when the team has less.
   */
  static async open(
    work: Omit<PricedWork, "amount">,
    limit: number,
    services: AccountServices,
  ): Promise<StepAccount> {
    const settlement = await services.settlements.open({ ...work, amount: CREDITS_PER_QUESTION });
    return new StepAccount({ settlement, payer: work.payer }, limit, services);
  }

  /** What the work of the step may still cost. */
  get left(): number {
    return this.#limit - this.#held;
  }

  /** What the work of the step has cost so far, without the question. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Charges the step with all of its work.
   * @param questions that a model has answered.
   * @returns false when the step was not due: nothing is charged or written then.
   */
  async settle(ending: StepEnding, questions = 1): Promise<boolean> {
    const credits = this.#spent + questions * CREDITS_PER_QUESTION;
    const companion: Companion = {
      isDue: (inside) => ending.isDue(inside),
      write: async (inside, isCharged) => {
        if (isCharged) for (const one of this.#companions) await writeIfDue(one, inside);
        await ending.write(inside, { isCharged, credits });
      },
    };
    const figure = {
      ...this.#whose(),
      kind: "agent",
      creditsUsed: questions * CREDITS_PER_QUESTION,
    } as const;
    const isDue = await this.#settlement.settle({ credits, companions: [companion], figure });
    if (isDue) for (const write of this.#afterwards) write();
    return isDue;
  }

  /** Gives everything back. */
  release(): Promise<void> {
    return this.#settlement.release();
  }

  /** The work of the step is counted on its own. */
  #whose() {
    const { team, keyId } = this.#payer;
    return { teamId: team.id, keyId, endedAtMs: Date.now(), isHit: false, formats: [] };
  }

  async #hold({ amount }: Work): Promise<Hold> {
    await this.#take(amount);
    let held = amount;
    let isClosed = false;
    const extend = async (more: number) => {
      if (isClosed || more <= held) return;
      await this.#take(more - held);
      held = more;
    };
    const settle = async (cost: number, ...companions: readonly Companion[]) => {
      if (isClosed) return true;
      await extend(cost);
      isClosed = true;
      this.#held -= held - cost;
      this.#spent += cost;
      this.#companions.push(...companions);
      return true;
    };
    return {
      extend,
      settle,
      secure: () => this.#settlement.secure(),
      release: async () => void (await settle(0)),
    };
  }

  async #take(amount: number): Promise<void> {
    if (amount > this.left) {
      const message = `This may cost ${amount} credits, and the run has ${Math.floor(this.left)} left for it.`;
      throw new ServiceError("insufficient_credits", { message });
    }
    this.#held += amount;
    await this.#settlement.extend(this.#held).catch((failure: unknown) => {
      this.#held -= amount;
      throw failure;
    });
  }
}

/** Rows of work that something else has ended meanwhile are left as they are. */
async function writeIfDue(companion: Companion, inside: Statements): Promise<void> {
  if (await companion.isDue(inside)) await companion.write(inside, true);
}
