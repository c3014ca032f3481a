/** A tenant with its waiting tasks. */
interface Tenant {
  /** Slots used by running tasks. */
  running: number;
  /** Increases with every started task; 0 for a tenant without any. */
  lastStart: number;
  /** Oldest first. */
  readonly waiting: Set<Waiting>;
}

interface Waiting {
  readonly slots: number;
  admit(): void;
  refuse(reason: Error): void;
}

/** A task that enters a gate. */
export interface Comer {
  /** Default: one tenant for all. */
  readonly tenant?: string;
  /**
   * Slots that it takes, such as bytes. Default: 1. A number above the available slots counts as all of them.
   */
  readonly slots?: number;
  readonly signal: AbortSignal;
}

interface GateQueue {
  /** Maximum number of waiting tasks. */
  readonly most?: number;
  /** Creates the error for a task beyond `most`. */
  readonly overflow?: () => Error;
  /** Slots that one tenant may have at once. Default: all. */
  readonly share?: number;
}

/**
 * Lets tasks run in at most `slots` slots at once. Others wait, fairly: free slots go to the tenant with the
 * fewest slots, among equals to the one that has waited longest, and within a tenant first come first served.
 * No smaller task overtakes the next one in turn.
 */
export class Gate {
  #slots: number;
  readonly #share: number;
  readonly #maxWaiting: number;
  readonly #overflow: () => Error;
  readonly #tenants = new Map<string, Tenant>();
  #running = 0;
  #waiting = 0;
  #starts = 0;

  constructor(slots: number, { most, overflow, share }: GateQueue = {}) {
    this.#slots = slots;
    this.#share = share ?? Number.POSITIVE_INFINITY;
    this.#maxWaiting = most ?? Number.POSITIVE_INFINITY;
    this.#overflow = overflow ?? (() => new Error("Too many wait."));
  }

  /** With fewer slots, tasks that run go on. */
  set slots(slots: number) {
    this.#slots = slots;
    this.#admitNext();
  }

  /** Number of taken slots. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Runs the task once a slot is free. @throws as `enter`, and errors of the task. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal, tenant = ""): Promise<T> {
    const leave = await this.enter({ signal, tenant });
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /**
   * Waits for free slots.
   * @returns a function that frees them again; only the first call counts.
   * @throws the error of `overflow` when too many wait already. The newest task of the tenant with the most
   * waiting tasks gets it.
   * @throws the signal's reason when it is aborted while waiting.
   */
  async enter({ tenant: name = "", slots: wanted = 1, signal }: Comer): Promise<() => void> {
    signal.throwIfAborted();
    const tenant = this.#tenantOf(name);
    const slots = Math.min(wanted, this.#share, this.#slots);
    if (this.#waiting === 0 && this.#hasRoom(tenant, slots)) this.#start(tenant, slots);
    else await this.#wait(tenant, slots, signal).finally(() => this.#forgetIdle(name, tenant));
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#running -= slots;
      tenant.running -= slots;
      this.#forgetIdle(name, tenant);
      this.#admitNext();
    };
  }

  async #wait(tenant: Tenant, slots: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting >= this.#maxWaiting) this.#makeRoom(tenant);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting -= 1;
        tenant.waiting.delete(waiting);
        signal.removeEventListener("abort", giveUp);
      };
      const waiting: Waiting = {
        slots,
        admit: () => {
          leave();
          this.#start(tenant, slots);
          resolve();
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      const giveUp = () => {
        waiting.refuse(signal.reason as Error);
        this.#admitNext();
      };
      this.#waiting += 1;
      tenant.waiting.add(waiting);
      signal.addEventListener("abort", giveUp, { once: true });
      // The others may only be waiting for more than is free, or for more than their share.
      this.#admitNext();
    });
  }

  #hasRoom(tenant: Tenant, slots: number): boolean {
    return this.#running + slots <= this.#slots && tenant.running + slots <= this.#share;
  }

  #start(tenant: Tenant, slots: number): void {
    this.#running += slots;
    this.#starts += 1;
    tenant.running += slots;
    tenant.lastStart = this.#starts;
  }

  #forgetIdle(name: string, tenant: Tenant): void {
    if (tenant.running === 0 && tenant.waiting.size === 0) this.#tenants.delete(name);
  }

  #admitNext(): void {
    while (this.#waiting > 0) {
      let chosen: Tenant | undefined;
      for (const tenant of this.#tenants.values()) {
        if (this.#isUnderShare(tenant) && (!chosen || comesBefore(tenant, chosen))) chosen = tenant;
      }
      const [next] = chosen?.waiting ?? [];
      if (!next || this.#running + next.slots > this.#slots) return;
      next.admit();
    }
  }

  /** True when only other tenants can block its next task. */
  #isUnderShare({ waiting, running }: Tenant): boolean {
    const [next] = waiting;
    return next !== undefined && running + next.slots <= this.#share;
  }

  /**
   * Refuses the newest task of the tenant with the most waiting ones.
   * @throws the error of `overflow` when that is the newcomer.
   */
  #makeRoom(newcomer: Tenant): void {
    let largest = newcomer;
    for (const tenant of this.#tenants.values()) {
      if (tenant.waiting.size > largest.waiting.size) largest = tenant;
    }
    const newest = [...largest.waiting].at(-1);
    if (!newest || largest.waiting.size <= newcomer.waiting.size + 1) throw this.#overflow();
    newest.refuse(this.#overflow());
  }

  #tenantOf(name: string): Tenant {
    const known = this.#tenants.get(name);
    if (known) return known;
    const tenant: Tenant = { running: 0, lastStart: 0, waiting: new Set() };
    this.#tenants.set(name, tenant);
    return tenant;
  }
}

function comesBefore(one: Tenant, other: Tenant): boolean {
  if (one.running !== other.running) return one.running < other.running;
  return one.lastStart < other.lastStart;
}
