/** Who waits, and what to do when it is their turn. */
interface Tenant {
  running: number;
  /** Counts up with every task that starts; 0 for a tenant that had none yet. */
  lastStart: number;
  /** What lets a waiting task run, with what refuses it; oldest first. */
  readonly waiting: Map<() => void, (reason: Error) => void>;
}

/**
 * Lets at most `slots` tasks run at once. The others wait, fairly: a free slot goes to the tenant with the fewest
 * running tasks, among equals to the one that has waited longest, and within a tenant first come first served.
 */
export class Gate {
  readonly #slots: number;
  readonly #maxWaiting: number;
  readonly #overflow: () => Error;
  readonly #tenants = new Map<string, Tenant>();
  #running = 0;
  #waiting = 0;
  #starts = 0;

  /** @param queue how many may wait at most, and the error of one more. */
  constructor(slots: number, queue?: { readonly most: number; readonly overflow: () => Error }) {
    this.#slots = slots;
    this.#maxWaiting = queue?.most ?? Number.POSITIVE_INFINITY;
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
   * @throws what `overflow` makes, when too many wait already: the newest of the tenant that has the most of them.
   * @throws the signal's reason when it is aborted while waiting; the task is then never started.
   */
  async run<T>(task: () => Promise<T>, signal: AbortSignal, tenantName = ""): Promise<T> {
    signal.throwIfAborted();
    const tenant = this.#tenantOf(tenantName);
    if (this.#running < this.#slots) this.#start(tenant);
    else await this.#wait(tenant, signal).finally(() => this.#forgetIdle(tenantName, tenant));
    try {
      return await task();
    } finally {
      this.#running -= 1;
      tenant.running -= 1;
      this.#forgetIdle(tenantName, tenant);
      if (this.#waiting > 0) this.#admitNext();
    }
  }

  async #wait(tenant: Tenant, signal: AbortSignal): Promise<void> {
    if (this.#waiting >= this.#maxWaiting) this.#makeRoom(tenant);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting -= 1;
        tenant.waiting.delete(admit);
        signal.removeEventListener("abort", giveUp);
      };
      const admit = () => {
        leave();
        this.#start(tenant);
        resolve();
      };
      const refuse = (reason: Error) => {
        leave();
        reject(reason);
      };
      const giveUp = () => refuse(signal.reason as Error);
      this.#waiting += 1;
      tenant.waiting.set(admit, refuse);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #start(tenant: Tenant): void {
    this.#running += 1;
    this.#starts += 1;
    tenant.running += 1;
    tenant.lastStart = this.#starts;
  }

  #forgetIdle(name: string, tenant: Tenant): void {
    if (tenant.running === 0 && tenant.waiting.size === 0) this.#tenants.delete(name);
  }

  #admitNext(): void {
    let chosen: Tenant | undefined;
    for (const tenant of this.#tenants.values()) {
      if (tenant.waiting.size > 0 && (!chosen || comesBefore(tenant, chosen))) chosen = tenant;
    }
    const [admit] = chosen?.waiting.keys() ?? [];
    admit?.();
  }

  /** The largest user of the queue leaves it first. @throws what `overflow` makes, when that is the newcomer. */
  #makeRoom(newcomer: Tenant): void {
    let largest = newcomer;
    for (const tenant of this.#tenants.values()) {
      if (tenant.waiting.size > largest.waiting.size) largest = tenant;
    }
    const refuse = [...largest.waiting.values()].at(-1);
    if (!refuse || largest.waiting.size <= newcomer.waiting.size + 1) throw this.#overflow();
    refuse(this.#overflow());
  }

  #tenantOf(name: string): Tenant {
    const known = this.#tenants.get(name);
    if (known) return known;
    const tenant: Tenant = { running: 0, lastStart: 0, waiting: new Map() };
    this.#tenants.set(name, tenant);
    return tenant;
  }
}

function comesBefore(one: Tenant, other: Tenant): boolean {
  if (one.running !== other.running) return one.running < other.running;
  return one.lastStart < other.lastStart;
}
