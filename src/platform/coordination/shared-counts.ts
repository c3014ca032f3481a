import type { Counted, CountRefusal } from "./coordinator.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Counts } from "./memory.ts";
import type { SharedStore, StoreUser, WindowResult } from "./shared-store.ts";
import { type SlidingWindow, stepMsOf } from "./sliding-window.ts";

export interface CountParts {
  readonly store: SharedStore;
  readonly heartbeat: Heartbeat;
  readonly clock: () => number;
  /** Whether another store may take the place of this one: what was counted is remembered until it is over. */
  readonly mayMove: boolean;
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
  /** The window as it was written last, in text, and when nothing is left in it. */
  known: string | undefined;
  expiresAtMs: number;
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
  readonly known: string;
  readonly expiresAtMs: number;
}

/** What was drawn in a step and not used. */
interface Unused {
  readonly step: number;
  readonly amount: number;
}

/** Of what is left in the window, the share that one process takes at once beyond what it needs now. */
const SHARE = 1 / 8;
/** A budget without use is forgotten after this many steps of its window. */
const STEPS_REMEMBERED = 5;
const SWEEP_INTERVAL_MS = 1000;
const SWEEPS_BETWEEN_CLEANUPS = 60;

/**
 * Windows that all processes share, one per key. A busy process draws about as many as it used in the step before, so
 * that most requests need no write, and gives back what it has not used a step later.
 */
export class SharedCounts implements StoreUser {
  readonly #parts: CountParts;
  readonly #budgets = new Map<string, Budget>();
  #timer: NodeJS.Timeout | undefined;
  #sweeps = 0;
  #isClosed = false;

  constructor(parts: CountParts) {
    this.#parts = parts;
    parts.heartbeat.addUser(this);
  }

  get isIdle(): boolean {
    return !this.#parts.mayMove || this.#budgets.size === 0;
  }

  /** Others may go on without knowing what was drawn here. */
  forfeit(): void {
    for (const budget of this.#budgets.values()) budget.left = 0;
  }

  async moveTo(store: SharedStore): Promise<void> {
    const nowMs = this.#parts.clock();
    const moved = [...this.#budgets.values()].filter(({ expiresAtMs }) => expiresAtMs > nowMs);
    await store.includeWindows(
      moved.map(({ key, windowMs, known = "[]" }) => ({ key, windowMs, text: known })),
    );
  }

  count(key: string, limit: number, windowMs: number): Counted | Promise<Counted> {
    this.#parts.heartbeat.check();
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

  stop(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** What was drawn and not used. */
  async giveBack(): Promise<void> {
    const unused = [...this.#budgets.values()].filter(({ left }) => left > 0);
    await Promise.all(unused.map((budget) => this.#draw(budget)));
  }

  #budgetOf(key: string, windowMs: number): Budget {
    const known = this.#budgets.get(key);
    if (known) return known;
    const numbers = { limit: 0, step: 0, left: 0, spent: 0, spentBefore: 0 };
    const nothing = { refusal: undefined, known: undefined, expiresAtMs: 0 };
    const budget: Budget = { key, windowMs, ...numbers, ...nothing, asking: [] };
    this.#budgets.set(key, budget);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    return budget;
  }

  async #draw(budget: Budget): Promise<void> {
    const { store, alone, onError } = this.#parts;
    const { key, windowMs, known } = budget;
    const unused = { step: budget.step, amount: budget.left };
    budget.left = 0;
    try {
      const work = (window: SlidingWindow) => this.#drawFrom(window, budget, unused);
      this.#settle(budget, await store.changeWindow({ key, windowMs, known, work }));
    } catch (failure) {
      if (!this.#isClosed) onError(failure);
      for (const tell of budget.asking.splice(0)) {
        tell(alone.count(budget.key, budget.limit, budget.windowMs));
      }
    }
  }

  #drawFrom(window: SlidingWindow, budget: Budget, unused: Unused): WindowResult<Drawn> {
    const { windowMs, limit, asking } = budget;
    const nowMs = this.#parts.clock();
    window.giveBack(unused.step, unused.amount);
    const room = Math.max(0, limit - window.total(nowMs));
    const amount = asking.length === 0 ? 0 : Math.min(room, Math.max(asking.length, ahead(budget, room)));
    window.add(nowMs, amount);
    const expiresAtMs = window.emptyAtMs(nowMs);
    const drawn = {
      step: stepOf(nowMs, windowMs),
      amount,
      refusal: amount === room ? refusalOf(window, { nowMs, limit, windowMs }) : undefined,
      known: window.encode(),
      expiresAtMs,
    };
    return { result: drawn, expiresAtMs };
  }

  /** Tells those who asked, also those who did so while the transaction ran. */
  #settle(budget: Budget, { step, amount, refusal, known, expiresAtMs }: Drawn): void {
    budget.known = known;
    budget.expiresAtMs = expiresAtMs;
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
    const { store, heartbeat, clock, onError } = this.#parts;
    const nowMs = clock();
    for (const [key, budget] of this.#budgets) {
      const age = stepOf(nowMs, budget.windowMs) - budget.step;
      if (age < 1 || budget.asking.length > 0) continue;
      if (budget.left > 0) void this.#draw(budget);
      else if (age > STEPS_REMEMBERED && !this.#mustRemember(budget, nowMs)) this.#budgets.delete(key);
    }
    this.#sweeps += 1;
    if (this.#sweeps % SWEEPS_BETWEEN_CLEANUPS === 0) store.forgetWindows().catch(onError);
    if (this.#budgets.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    heartbeat.leaveIfIdle();
  }

  #mustRemember({ expiresAtMs }: Budget, nowMs: number): boolean {
    return this.#parts.mayMove && expiresAtMs > nowMs;
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
