/** Who waits, and what to do when it is their turn. */
interface Party {
  running: number;
  /** Counts up with every task that starts; 0 for a party that had none yet. */
  lastStart: number;
  /** What lets a waiting task run, with what refuses it; oldest first. */
  readonly waiting: Map<() => void, (reason: Error) => void>;
}

/**
 * Lets at most `slots` tasks run at once. The others wait, fairly: a free slot goes to the party with the fewest
 * running tasks, among equals to the one that has waited longest, and within a party first come first served.
 */
export class Gate {
  readonly #slots: number;
  readonly #mostWaiting: number;
  readonly #overflow: () => Error;
  readonly #parties = new Map<string, Party>();
  #running = 0;
  #waiting = 0;
  #starts = 0;

  /** @param queue how many may wait at most, and what one more is told. */
  constructor(slots: number, queue?: { readonly most: number; readonly overflow: () => Error }) {
    this.#slots = slots;
    this.#mostWaiting = queue?.most ?? Number.POSITIVE_INFINITY;
    this.#overflow = queue?.overflow ?? (() => new Error("Too many wait."));
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs the task once a slot is free.
   * @throws what `overflow` makes, when too many wait already: the newest of the party that has the most of them.
   * @throws the signal's reason when it is aborted while waiting; the task is then never started.
   */
  async run<T>(task: () => Promise<T>, signal: AbortSignal, partyName = ""): Promise<T> {
    signal.throwIfAborted();
    const party = this.#partyOf(partyName);
    if (this.#running < this.#slots) this.#start(party);
    else await this.#wait(party, signal).finally(() => this.#forgetIdle(partyName, party));
    try {
      return await task();
    } finally {
      this.#running -= 1;
      party.running -= 1;
      this.#forgetIdle(partyName, party);
      if (this.#waiting > 0) this.#admitNext();
    }
  }

  async #wait(party: Party, signal: AbortSignal): Promise<void> {
    if (this.#waiting >= this.#mostWaiting) this.#makeRoom(party);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting -= 1;
        party.waiting.delete(admit);
        signal.removeEventListener("abort", giveUp);
      };
      const admit = () => {
        leave();
        this.#start(party);
        resolve();
      };
      const refuse = (reason: Error) => {
        leave();
        reject(reason);
      };
      const giveUp = () => refuse(signal.reason as Error);
      this.#waiting += 1;
      party.waiting.set(admit, refuse);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #start(party: Party): void {
    this.#running += 1;
    this.#starts += 1;
    party.running += 1;
    party.lastStart = this.#starts;
  }

  #forgetIdle(name: string, party: Party): void {
    if (party.running === 0 && party.waiting.size === 0) this.#parties.delete(name);
  }

  #admitNext(): void {
    let chosen: Party | undefined;
    for (const party of this.#parties.values()) {
      if (party.waiting.size > 0 && (!chosen || comesBefore(party, chosen))) chosen = party;
    }
    const [admit] = chosen?.waiting.keys() ?? [];
    admit?.();
  }

  /** Whoever fills the queue has to leave it first. @throws what `overflow` makes, when that is the newcomer. */
  #makeRoom(newcomer: Party): void {
    let largest = newcomer;
    for (const party of this.#parties.values()) {
      if (party.waiting.size > largest.waiting.size) largest = party;
    }
    const refuse = [...largest.waiting.values()].at(-1);
    if (!refuse || largest.waiting.size <= newcomer.waiting.size + 1) throw this.#overflow();
    refuse(this.#overflow());
  }

  #partyOf(name: string): Party {
    const known = this.#parties.get(name);
    if (known) return known;
    const party: Party = { running: 0, lastStart: 0, waiting: new Map() };
    this.#parties.set(name, party);
    return party;
  }
}

function comesBefore(one: Party, other: Party): boolean {
  if (one.running !== other.running) return one.running < other.running;
  return one.lastStart < other.lastStart;
}
