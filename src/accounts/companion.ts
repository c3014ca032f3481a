import { failAlone } from "../platform/database/batch-writer.ts";
import type { Statements } from "../platform/database/database.ts";

/** What is written in the transaction of a charge. Both or neither happen. */
export interface Companion {
  /** Asked first. False: nothing is charged, and nothing else is asked. */
  isDue(inside: Statements): Promise<boolean>;
  /** Asked when it is known whether the team could pay. */
  write(inside: Statements, isCharged: boolean): Promise<void>;
}

/** All companions of one charge. What they throw fails their charge alone. */
export class CompanionGroup {
  readonly #companions: readonly Companion[];
  readonly #inside: Statements;

  constructor(companions: readonly Companion[], inside: Statements) {
    this.#companions = companions;
    this.#inside = inside;
  }

  /** False as soon as one is not. */
  async areDue(): Promise<boolean> {
    for (const companion of this.#companions) {
      if (!(await companion.isDue(this.#inside).catch(failAlone))) return false;
    }
    return true;
  }

  /** */
  async write(isCharged: boolean): Promise<void> {
    for (const companion of this.#companions) {
      await companion.write(this.#inside, isCharged).catch(failAlone);
    }
  }
}
