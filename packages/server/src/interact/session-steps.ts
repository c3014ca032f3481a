import type { Team } from "../accounts/teams.ts";

/** What is done in a session. */
interface NewStep {
  readonly kind: "node" | "python" | "bash" | "prompt";
  /** The operator who did it; undefined for callers of the team. */
  readonly by: string | undefined;
  readonly text: string;
}

/** A call in a session, and what came of it. */
interface SessionStep extends NewStep {
  /** Counts up within the session. */
  readonly number: number;
  readonly startedAtMs: number;
  /** Undefined while it waits for its turn, or is under way. */
  readonly durationMs: number | undefined;
  /** Why nothing came of it, or how it failed. */
  readonly problem: string | undefined;
}

const MAX_STEPS = 50;
const MAX_TEXT_LENGTH = 500;

/** The latest calls of a session, of every caller, kept while it lives. */
export class SessionSteps {
  /** False where nothing of what the team sends may be kept. */
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

  /** Does a step, and keeps what came of it. @param problemOf the result, if it failed. */
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
