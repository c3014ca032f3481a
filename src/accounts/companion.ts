import type { Statements } from "../platform/database/database.ts";

/** What is written in the transaction of a charge. Both or neither happen. */
export interface Companion {
  /** Asked first. False: nothing is charged, and nothing else is asked. */
  isDue(inside: Statements): Promise<boolean>;
  /** Asked when it is known whether the team could pay. */
  write(inside: Statements, isCharged: boolean): Promise<void>;
}

/** One of the companions could not read or write. Its charge is not made; those of other work are. */
export class CompanionFailure extends Error {
  /** Of its order, among those of the transaction. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super("The records of a charge could not be written.", { cause });
    this.index = index;
  }
}

/** All companions of one charge. */
export class CompanionGroup {
  readonly #companions: readonly Companion[];
  readonly #inside: Statements;
  readonly #index: number;

  constructor(companions: readonly Companion[], inside: Statements, index: number) {
    this.#companions = companions;
    this.#inside = inside;
    this.#index = index;
  }

  /** False as soon as one is not. @throws CompanionFailure */
  async areDue(): Promise<boolean> {
    for (const companion of this.#companions) {
      if (!(await companion.isDue(this.#inside).catch((cause: unknown) => this.#fail(cause)))) return false;
    }
    return true;
  }

  /** @throws CompanionFailure */
  async write(isCharged: boolean): Promise<void> {
    for (const companion of this.#companions) {
      await companion.write(this.#inside, isCharged).catch((cause: unknown) => this.#fail(cause));
    }
  }

  #fail(cause: unknown): never {
    throw new CompanionFailure(this.#index, cause);
  }
}
