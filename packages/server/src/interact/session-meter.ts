import type { Payer } from "../accounts/balances.ts";
import type { Hold } from "../accounts/credits.ts";
import { type Clock, steadyClock } from "../storage/clock/clock.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { Charges, WorkEnd } from "../accounts/charges.ts";
import { creditsPerMinute, priceOfSession } from "./price.ts";

const MINUTE_MS = 60_000;
/** The next minute is reserved this long before it begins. */
const LEAD_MS = 5000;

interface MeterOptions {
  /** Id of the session, which names the charge. */
  readonly id: string;
  readonly payer: Payer;
  readonly charges: Pick<Charges<ScrapeRecord>, "hold" | "charge">;
  readonly isPrompted: boolean;
  readonly clock?: Clock;
  /** Called when the next minute cannot be reserved. */
  readonly onShort: () => void;
}

/** Payment of a session: each minute is reserved before it begins, and all are charged once, at the end. */
export class SessionMeter {
  readonly #options: MeterOptions;
  readonly #hold: Hold;
  readonly #clock: Clock;
  readonly #startMs: number;
  #isPrompted: boolean;
  #minutes = 1;
  #cancel: () => void = () => undefined;

  private constructor(options: MeterOptions, hold: Hold) {
    this.#options = options;
    this.#hold = hold;
    this.#isPrompted = options.isPrompted;
    this.#clock = options.clock ?? steadyClock;
    this.#startMs = this.#clock.now();
  }

  /**
   * Reserves the first minute, and stores the reservation.
   * @throws ServiceError insufficient_credits; billing_unavailable when the ledger cannot be written.
   */
  static async start(options: MeterOptions): Promise<SessionMeter> {
    const { id, payer, charges, isPrompted } = options;
    const amount = creditsPerMinute(isPrompted);
    const hold = await charges.hold({ id, startedAtMs: Date.now(), payer, amount });
    try {
      await hold.secure();
    } catch (failure) {
      await hold.release();
      throw failure;
    }
    const meter = new SessionMeter(options, hold);
    meter.#wait();
    return meter;
  }

  get durationMs(): number {
    return this.#clock.now() - this.#startMs;
  }

  /** Price of the session if it ended now. */
  get price(): number {
    return priceOfSession(this.durationMs, this.#isPrompted);
  }

  /**
   * Raises the price of the whole session to that of prompts.
   * @throws ServiceError insufficient_credits; the price stays unchanged then.
   */
  async raise(): Promise<void> {
    if (this.#isPrompted) return;
    await this.#hold.extend(this.#minutes * creditsPerMinute(true));
    this.#isPrompted = true;
  }

  /** Charges the session, once. @throws as `Charges.charge`. */
  charge(end: WorkEnd<ScrapeRecord>): Promise<boolean> {
    this.#cancel();
    return this.#options.charges.charge(this.#hold, end);
  }

  /** Returns the reservation of a session that never began. */
  release(): Promise<void> {
    this.#cancel();
    return this.#hold.release();
  }

  #wait(): void {
    const untilMs = this.#minutes * MINUTE_MS - LEAD_MS - this.durationMs;
    this.#cancel = this.#clock.after(Math.max(0, untilMs), () => void this.#prolong());
  }

  /** After a pause of this process more than one minute may be due. */
  async #prolong(): Promise<void> {
    const minutes = Math.max(this.#minutes, Math.floor(this.durationMs / MINUTE_MS)) + 1;
    try {
      await this.#hold.extend(minutes * creditsPerMinute(this.#isPrompted));
    } catch {
      return this.#options.onShort();
    }
    this.#minutes = minutes;
    this.#wait();
  }
}
