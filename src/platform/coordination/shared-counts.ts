import type { Statements } from "../database/database.ts";
import type { Counted, CountRefusal } from "./coordinator.ts";
import type { Counts } from "./memory.ts";
import { SlidingWindow, stepMsOf } from "./sliding-window.ts";
import type { BatchWriter } from "../database/batch-writer.ts";

export interface CountParts {
  readonly writer: BatchWriter<Statements>;
  readonly clock: () => number;
  /** Counts while the database cannot be written. */
  readonly alone: Counts;
  readonly onError: (failure: unknown) => void;
}

/** What this process may let pass of one key without asking: drawn from the shared window in the present step. */
interface Budget {
  readonly key: string;
  readonly windowMs: number;
  limit: number;
  step: number;
  left: number;
  /** Of this step, and of the one before. */
  spent: number;
  spentBefore: number;
  refusal: KnownRefusal | undefined;
  asking: ((counted: Counted) => void)[];
}

/** Holds for a moment, so that who asks again and again costs nothing. */
interface KnownRefusal extends CountRefusal {
  readonly limit: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Drawn {
  readonly step: number;
  readonly amount: number;
  readonly refusal: KnownRefusal | undefined;
}

/** Of what is left in the window, the share that one process takes at once beyond what it needs now. */
const SHARE = 1 / 8;
/** A budget without use is forgotten after this many steps of its window. */
const STEPS_REMEMBERED = 5;
const SWEEP_INTERVAL_MS = 1000;
const SWEEPS_BETWEEN_CLEANUPS = 60;

/**
 * Windows in the table `rate_windows`, one row per key. A busy process draws about as many as it used in the step before,
 * so that most requests need no transaction, and gives back what it has not used a step later.
 */
export class SharedCounts {
  readonly #parts: CountParts;
  readonly #budgets = new Map<string, Budget>();
  #timer: NodeJS.Timeout | undefined;
  #sweeps = 0;

  constructor(parts: CountParts) {
    this.#parts = parts;
  }

  count(key: string, limit: number, windowMs: number): Counted | Promise<Counted> {
    const nowMs = this.#parts.clock();
    const budget = this.#budgetOf(key, windowMs);
    if (budget.left > 0 && budget.step === stepOf(nowMs, windowMs)) {
      budget.left -= 1;
      budget.spent += 1;
      return undefined;
    }
    if (holds(budget.refusal, limit, nowMs)) return budget.refusal;
    budget.limit = limit;
    return new Promise((resolve) => {
      budget.asking.push(resolve);
      if (budget.asking.length === 1) void this.#draw(budget);
    });
  }

  /** Gives back what was drawn and not used. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const unused = [...this.#budgets.values()].filter(({ left }) => left > 0);
    await Promise.all(unused.map((budget) => this.#draw(budget)));
  }

  #budgetOf(key: string, windowMs: number): Budget {
    const known = this.#budgets.get(key);
    if (known) return known;
    const numbers = { limit: 0, step: 0, left: 0, spent: 0, spentBefore: 0 };
    const budget: Budget = { key, windowMs, ...numbers, refusal: undefined, asking: [] };
    this.#budgets.set(key, budget);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    return budget;
  }

  async #draw(budget: Budget): Promise<void> {
    const { writer, alone, onError } = this.#parts;
    const unused = { step: budget.step, amount: budget.left };
    budget.left = 0;
    try {
      this.#settle(budget, await writer.order((inside) => this.#drawIn(inside, budget, unused)));
    } catch (failure) {
      onError(failure);
      for (const tell of budget.asking.splice(0)) {
        tell(alone.count(budget.key, budget.limit, budget.windowMs));
      }
    }
  }

  async #drawIn(
    inside: Statements,
    budget: Budget,
    unused: { readonly step: number; readonly amount: number },
  ): Promise<Drawn> {
    const { key, windowMs, limit, asking } = budget;
    const nowMs = this.#parts.clock();
    const window = await readWindow(inside, key, windowMs);
    window.giveBack(unused.step, unused.amount);
    const room = Math.max(0, limit - window.total(nowMs));
    const amount = asking.length === 0 ? 0 : Math.min(room, Math.max(asking.length, ahead(budget, room)));
    window.add(nowMs, amount);
    await writeWindow(inside, key, { window, expiresAtMs: window.emptyAtMs(nowMs) });
    return {
      step: stepOf(nowMs, windowMs),
      amount,
      refusal: amount === room ? refusalOf(window, { nowMs, limit, windowMs }) : undefined,
    };
  }

  /** Tells those who asked, also those who did so while the transaction ran. */
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
    const nowMs = this.#parts.clock();
    for (const [key, budget] of this.#budgets) {
      const age = stepOf(nowMs, budget.windowMs) - budget.step;
      if (age < 1 || budget.asking.length > 0) continue;
      if (budget.left > 0) void this.#draw(budget);
      else if (age > STEPS_REMEMBERED) this.#budgets.delete(key);
    }
    this.#sweeps += 1;
    if (this.#sweeps % SWEEPS_BETWEEN_CLEANUPS === 0) this.#cleanUp(nowMs);
    if (this.#budgets.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #cleanUp(nowMs: number): void {
    const { writer, onError } = this.#parts;
    writer
      .order((inside) => inside.prepared("DELETE FROM rate_windows WHERE expires_at <= ?").run(nowMs))
      .catch(onError);
  }
}

function stepOf(nowMs: number, windowMs: number): number {
  return Math.floor(nowMs / stepMsOf(windowMs));
}

function holds(refusal: KnownRefusal | undefined, limit: number, nowMs: number): refusal is KnownRefusal {
  return refusal?.limit === limit && nowMs >= refusal.fromMs && nowMs < refusal.untilMs;
}

/** What a process that goes on like this is going to need in this step, as far as there is plenty. */
function ahead({ spent, spentBefore }: Budget, room: number): number {
  return Math.min(Math.ceil(room * SHARE), Math.max(spentBefore, spent * 2));
}

/** Holds for a step: meanwhile others may give back what they did not use. */
function refusalOf(
  window: SlidingWindow,
  { nowMs, limit, windowMs }: { readonly nowMs: number; readonly limit: number; readonly windowMs: number },
): KnownRefusal {
  const freeAtMs = window.freeAtMs(nowMs, limit);
  const untilMs = Math.min(freeAtMs, nowMs + stepMsOf(windowMs));
  return { consumed: window.total(nowMs) + 1, freeAtMs, limit, fromMs: nowMs, untilMs };
}

async function readWindow(inside: Statements, key: string, windowMs: number): Promise<SlidingWindow> {
  const row = await inside
    .prepared<{ steps: string }>("SELECT steps FROM rate_windows WHERE name = ?")
    .get(key);
  return row ? SlidingWindow.decode(windowMs, row.steps) : new SlidingWindow(windowMs);
}

async function writeWindow(
  inside: Statements,
  key: string,
  { window, expiresAtMs }: { readonly window: SlidingWindow; readonly expiresAtMs: number },
): Promise<void> {
  await inside
    .prepared(
      `INSERT INTO rate_windows (name, steps, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET steps = excluded.steps, expires_at = excluded.expires_at`,
    )
    .run(key, window.encode(), expiresAtMs);
}
