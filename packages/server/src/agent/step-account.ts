import type { AuditEvent } from "../accounts/audit.ts";
import type { Payer } from "../accounts/balances.ts";
import { Charges, type ChargeServices } from "../accounts/charges.ts";
import type { Hold, Work } from "../accounts/credits.ts";
import type { AlsoWrite } from "../accounts/ledger.ts";
import { ServiceError } from "../api/errors.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";

/** Credits per answered model question. */
export const CREDITS_PER_QUESTION = 1;

/** Services of the team's account, and the rows that are written besides charges. */
export interface AccountServices extends Omit<ChargeServices<ScrapeRecord>, "credits"> {
  readonly charges: Charges<ScrapeRecord>;
}

/**
 * Credits of one step. The work of the step uses this account instead of the team's. All of it is one hold,
 * limited to what the run may still spend, and one charge in the transaction that ends the step.
 */
export class StepAccount {
  readonly charges: Charges<ScrapeRecord>;
  readonly #charges: Charges<ScrapeRecord>;
  readonly #hold: Hold;
  readonly #payer: Payer;
  readonly #limit: number;
  /** Rows that the work of the step writes with its charge. */
  readonly #written: AlsoWrite[] = [];
  readonly #afterwards: (() => void)[] = [];
  #held: number = CREDITS_PER_QUESTION;
  #spent = 0;

  private constructor(
    { hold, payer }: { readonly hold: Hold; readonly payer: Payer },
    limit: number,
    services: AccountServices,
  ) {
    this.#charges = services.charges;
    this.#hold = hold;
    this.#payer = payer;
    this.#limit = limit;
    const { audit, figures, records } = services;
    const later = (write: () => void) => void this.#afterwards.push(write);
    this.charges = new Charges<ScrapeRecord>({
      credits: { hold: (work) => this.#holdPart(work), count: () => false },
      audit: {
        write: async (event: AuditEvent) => later(() => audit.note(event)),
        note: (event) => later(() => audit.note(event)),
      },
      figures: { count: (ended) => later(() => figures.count(ended)) },
      records: { add: (record) => later(() => records.add(record)) },
    });
  }

  /**
   * Reserves the price of a question.
   * @param limit credits that the run may still spend.
   * @throws ServiceError insufficient_credits when the team has less.
   */
  static async open(
    work: Omit<Work, "amount">,
    limit: number,
    services: AccountServices,
  ): Promise<StepAccount> {
    const hold = await services.charges.hold({ ...work, amount: CREDITS_PER_QUESTION });
    return new StepAccount({ hold, payer: work.payer }, limit, services);
  }

  /** Credits that the work of the step may still use. */
  get left(): number {
    return this.#limit - this.#held;
  }

  /** Credits that the work of the step has used, without the question. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Charges the step with all of its work.
   * @param alsoWrite receives the price of the step.
   * @param questions number of questions that a model has answered.
   * @returns false when the step was not due. Then nothing is charged or written.
   */
  async charge(
    alsoWrite: (...args: [...Parameters<AlsoWrite>, credits: number]) => Promise<void>,
    questions = 1,
  ): Promise<boolean> {
    const ofQuestions = questions * CREDITS_PER_QUESTION;
    const credits = this.#spent + ofQuestions;
    const write: AlsoWrite = (tx, pay) => {
      const payForAll = async () => {
        const isPaid = await pay();
        // Rows of work that something else has ended meanwhile stay as they are.
        if (isPaid) for (const one of this.#written) await one(tx, async () => true);
        return isPaid;
      };
      return alsoWrite(tx, payForAll, credits);
    };
    const figure = { ...this.#whose(), kind: "agent", pages: 0, creditsUsed: ofQuestions } as const;
    const isDue = await this.#charges.charge(this.#hold, { credits, alsoWrite: write, figure });
    if (isDue) for (const note of this.#afterwards) note();
    return isDue;
  }

  /** Returns the whole reservation. */
  release(): Promise<void> {
    return this.#hold.release();
  }

  /** Fields of the step's figures. The work of the step has figures of its own. */
  #whose() {
    const { team, keyId } = this.#payer;
    return { teamId: team.id, keyId, endedAtMs: Date.now(), isHit: false, formats: [] };
  }

  async #holdPart({ amount }: Work): Promise<Hold> {
    await this.#take(amount);
    let held = amount;
    let isClosed = false;
    const extend = async (more: number) => {
      if (isClosed || more <= held) return;
      await this.#take(more - held);
      held = more;
    };
    const charge = async (cost: number, alsoWrite?: AlsoWrite) => {
      if (isClosed) return true;
      await extend(cost);
      isClosed = true;
      this.#held -= held - cost;
      this.#spent += cost;
      if (alsoWrite) this.#written.push(alsoWrite);
      return true;
    };
    return {
      extend,
      charge,
      secure: () => this.#hold.secure(),
      release: async () => void (await charge(0)),
    };
  }

  async #take(amount: number): Promise<void> {
    if (amount > this.left) {
      const message = `This may cost ${amount} credits, and the run has ${Math.floor(this.left)} left for it.`;
      throw new ServiceError("insufficient_credits", { message });
    }
    this.#held += amount;
    await this.#hold.extend(this.#held).catch((failure: unknown) => {
      this.#held -= amount;
      throw failure;
    });
  }
}
