import { randomUUID } from "node:crypto";

import type { Coordinator, Lease } from "../../storage/coordination/coordinator.ts";

/** When others take over the tasks of a dead process, unless they learn of its death earlier. */
export const OWNER_TTL_MS = 10_000;

/** The lease under whose name a process owns tasks. The process holds it while it has any. */
export class TaskOwner {
  readonly #coordinator: Pick<Coordinator, "lease">;
  readonly #lost: (name: string) => void;
  #taken: { readonly name: string; readonly lease: Lease } | undefined;
  #taking: Promise<string> | undefined;

  /** @param lost called when others may take over the tasks claimed under that name. */
  constructor(coordinator: Pick<Coordinator, "lease">, lost: (name: string) => void) {
    this.#coordinator = coordinator;
    this.#lost = lost;
  }

  /** @throws when the lease cannot be taken. */
  async name(): Promise<string> {
    if (this.#taken) return this.#taken.name;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** Name of the lease that is held now. */
  get current(): string | undefined {
    return this.#taken?.name;
  }

  async leave(): Promise<void> {
    await this.#taking?.catch(() => undefined);
    const taken = this.#taken;
    this.#taken = undefined;
    await taken?.lease.release();
  }

  async #take(): Promise<string> {
    const name = `jobs ${randomUUID()}`;
    const lease = await this.#coordinator.lease(name, OWNER_TTL_MS);
    if (!lease) throw new Error("The owner of jobs is known already.");
    lease.signal.addEventListener("abort", () => {
      if (this.#taken?.name === name) this.#taken = undefined;
      this.#lost(name);
    });
    this.#taken = { name, lease };
    return name;
  }
}
