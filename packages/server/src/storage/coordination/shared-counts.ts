import type { Counted, CountRefusal } from "./coordinator.ts";
import type { DatabaseStore } from "./database-store.ts";
import type { Counts } from "./memory.ts";
import { dueAfter, type Rate, refusalAt, roomAt } from "./rate.ts";

interface CountParts {
  readonly store: DatabaseStore;
  readonly clock: () => number;
  /** Counts of this process alone, used while the database cannot be written. */
  readonly alone: Counts;
  readonly onError: (failure: unknown) => void;
}

/**
 * Number of requests that this process may let pass for one key without asking, drawn from the shared rate in
 * the present step.
 */
interface Budget {
  /** Key with its limit, so that a changed limit starts a new count. */
  readonly key: string;
  readonly rate: Rate;
  step: number;
  left: number;
  /** Requests used in this step, and in the one before. */
  spent: number;
  spentBefore: number;
  refusal: KnownRefusal | undefined;
  asking: ((counted: Counted) => void)[];
}

/** A refusal is remembered for a moment, so that a caller that retries often costs nothing. */
interface KnownRefusal extends CountRefusal {
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Drawn {
  readonly step: number;
  readonly amount: number;
  readonly refusal: KnownRefusal | undefined;
}

/** Drawn requests stay valid for one step, this fraction of the window. */
const STEPS = 100;
/** Share of the remaining limit that one process draws at once beyond its present need. */
const SHARE = 1 / 8;
/** An unused budget is forgotten after this many steps of its window. */
const STEPS_REMEMBERED = 5;
const SWEEP_INTERVAL_MS = 1000;
const SWEEPS_BETWEEN_CLEANUPS = 60;

/**
 * Rates that all processes share, one per key. A busy process draws about as many requests as it used in the
 * step before, so that most need no write, and gives back the unused ones a step later.
 */
export class SharedCounts {
  readonly #parts: CountParts;
  readonly #budgets = new Map<string, Budget>();
  #timer: NodeJS.Timeout | undefined;
  #sweeps = 0;
  #isClosed = false;

  constructor(parts: CountParts) {
    this.#parts = parts;
  }

  count(key: string, limit: number, windowMs: number): Counted | Promise<Counted> {
    const nowMs = this.#parts.clock();
    const budget = this.#budgetOf(`${key} ${limit}`, { limit, windowMs });
    if (budget.left > 0 && budget.step === stepOf(nowMs, windowMs)) {
      budget.left -= 1;
      budget.spent += 1;
      return undefined;
    }
    if (holds(budget.refusal, nowMs)) return budget.refusal;
    return new Promise((resolve) => {
      budget.asking.push(resolve);
      if (budget.asking.length === 1) void this.#draw(budget);
    });
  }

  stop(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** Gives back drawn requests that were not used. */
  async giveBack(): Promise<void> {
    const unused = [...this.#budgets.values()].filter(({ left }) => left > 0);
    await Promise.all(unused.map((budget) => this.#draw(budget)));
  }

  #budgetOf(key: string, rate: Rate): Budget {
    const known = this.#budgets.get(key);
    if (known) return known;
    const budget: Budget = {
      key,
      rate,
      step: 0,
      left: 0,
      spent: 0,
      spentBefore: 0,
      refusal: undefined,
      asking: [],
    };
    this.#budgets.set(key, budget);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    return budget;
  }

  async #draw(budget: Budget): Promise<void> {
    const { store, alone, onError } = this.#parts;
    const { rate, left: unused } = budget;
    budget.left = 0;
    try {
      this.#settle(
        budget,
        await store.changeRate(budget.key, (dueMs) => {
          const nowMs = this.#parts.clock();
          return this.#drawFrom(budget, dueAfter(-unused, nowMs, dueMs, rate), nowMs);
        }),
      );
    } catch (failure) {
      if (!this.#isClosed) onError(failure);
      for (const tell of budget.asking.splice(0)) tell(alone.count(budget.key, rate.limit, rate.windowMs));
    }
  }

  #drawFrom({ rate, asking, ...used }: Budget, dueMs: number, nowMs: number) {
    const room = roomAt(nowMs, dueMs, rate);
    const amount = asking.length === 0 ? 0 : Math.min(room, Math.max(asking.length, ahead(used, room)));
    const drawnMs = dueAfter(amount, nowMs, dueMs, rate);
    const step = stepOf(nowMs, rate.windowMs);
    const refusal = amount === room ? refusalOf(nowMs, drawnMs, rate) : undefined;
    return { dueMs: drawnMs, result: { step, amount, refusal } };
  }

  /** Answers all callers, including those that asked while the transaction ran. */
  #settle(budget: Budget, { step, amount, refusal }: Drawn): void {
    if (step !== budget.step) {
      budget.spentBefore = step === budget.step + 1 ? budget.spent : 0;
      budget.spent = 0;
      budget.step = step;
    }
    const passing = budget.asking.splice(0, amount);
    budget.left = amount - passing.length;
    budget.spent += passing.length;
    budget.refusal = refusal;
    for (const tell of passing) tell(undefined);
    if (refusal) for (const tell of budget.asking.splice(0)) tell(refusal);
    else if (budget.asking.length > 0) void this.#draw(budget);
  }

  #sweep(): void {
    const { store, clock, onError } = this.#parts;
    const nowMs = clock();
    for (const [key, budget] of this.#budgets) {
      const age = stepOf(nowMs, budget.rate.windowMs) - budget.step;
      if (age < 1 || budget.asking.length > 0) continue;
      if (budget.left > 0) void this.#draw(budget);
      else if (age > STEPS_REMEMBERED) this.#budgets.delete(key);
    }
    this.#sweeps += 1;
    if (this.#sweeps % SWEEPS_BETWEEN_CLEANUPS === 0) store.forgetRates().catch(onError);
    if (this.#budgets.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function stepOf(nowMs: number, windowMs: number): number {
  return Math.floor((nowMs * STEPS) / windowMs);
}

function holds(refusal: KnownRefusal | undefined, nowMs: number): refusal is KnownRefusal {
  return refusal !== undefined && nowMs >= refusal.fromMs && nowMs < refusal.untilMs;
}

/**
 * Requests that this process will probably need in this step at its present pace, as far as there is plenty.
 */
function ahead({ spent, spentBefore }: Pick<Budget, "spent" | "spentBefore">, room: number): number {
  return Math.min(Math.ceil(room * SHARE), Math.max(spentBefore, spent * 2));
}

/** The refusal holds for one step, because others may give back unused requests meanwhile. */
function refusalOf(nowMs: number, dueMs: number, rate: Rate): KnownRefusal {
  const refusal = refusalAt(nowMs, dueMs, rate);
  const untilMs = Math.min(refusal.freeAtMs, nowMs + rate.windowMs / STEPS);
  return { ...refusal, fromMs: nowMs, untilMs };
}
