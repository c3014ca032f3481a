import type { Team } from "../accounts/teams.ts";

interface NewStep {
  readonly kind: "node" | "python" | "bash" | "prompt";
  /** Name of the operator who made the call. Undefined for callers of the team. */
  readonly by: string | undefined;
  readonly text: string;
}

/** A call in a session, with its result. */
interface SessionStep extends NewStep {
  /** Increases within the session. */
  readonly number: number;
  readonly startedAtMs: number;
  /** Undefined while it waits for its turn, or runs. */
  readonly durationMs: number | undefined;
  /** Why it could not run, or how it failed. */
  readonly problem: string | undefined;
}

const MAX_STEPS = 50;
const MAX_TEXT_LENGTH = 500;

/** Latest calls of a session by all callers. They are kept while the session lives. */
export class SessionSteps {
  /** False: texts of the team must not be kept. */
  readonly #keepsTexts: boolean;
  #steps: readonly SessionStep[] = [];
  #count = 0;

  constructor({ flags }: Pick<Team, "flags">) {
    this.#keepsTexts = flags.zeroDataRetention !== "forced";
  }

  /** Newest first. */
  get latest(): readonly SessionStep[] {
    return this.#steps;
  }

  /** Runs a step, and records its result. @param problemOf returns the failure of a result, if any. */
  async take<Result>(
    step: NewStep,
    work: () => Promise<Result>,
    problemOf: (result: Result) => string | undefined,
  ): Promise<Result> {
    const number = (this.#count += 1);
    const startedMs = performance.now();
    const text = this.#keepsTexts ? step.text.slice(0, MAX_TEXT_LENGTH) : "";
    const begun = {
      ...step,
      text,
      number,
      startedAtMs: Date.now(),
      durationMs: undefined,
      problem: undefined,
    };
    this.#steps = [begun, ...this.#steps].slice(0, MAX_STEPS);
    const end = (problem: string | undefined) => {
      const shown = this.#keepsTexts ? problem?.slice(0, MAX_TEXT_LENGTH) : problem && "It failed.";
      const ended = { ...begun, durationMs: Math.round(performance.now() - startedMs), problem: shown };
      this.#steps = this.#steps.map((known) => (known.number === number ? ended : known));
    };
    try {
      const result = await work();
      end(problemOf(result));
      return result;
    } catch (failure) {
      end(failure instanceof Error ? failure.message : String(failure));
      throw failure;
    }
  }
}
