import type { LimitRows } from "./limit-rows.ts";

/** Which other processes live. The table of leases is asked of each again when the time is over that it had then. */
export class Peers {
  readonly #rows: Pick<LimitRows, "heldUntil">;
  readonly #clock: () => number;
  readonly #heldUntil = new Map<string, number>();

  /** @param clock of leases. */
  constructor(rows: Pick<LimitRows, "heldUntil">, clock: () => number) {
    this.#rows = rows;
    this.#clock = clock;
  }

  nowMs(): number {
    return this.#clock();
  }

  /** Those of the processes that live. */
  async living(processes: readonly string[]): Promise<ReadonlySet<string>> {
    const unsure = processes.filter((process) => !this.#isHeld(process));
    if (unsure.length > 0) await this.#ask(unsure);
    return new Set(processes.filter((process) => this.#heldUntil.has(process)));
  }

  async #ask(processes: readonly string[]): Promise<void> {
    const found = await this.#rows.heldUntil(processes);
    for (const process of processes) {
      const untilMs = found.get(process);
      if (untilMs === undefined) this.#heldUntil.delete(process);
      else this.#heldUntil.set(process, untilMs);
    }
  }

  #isHeld(process: string): boolean {
    return (this.#heldUntil.get(process) ?? 0) > this.nowMs();
  }
}
