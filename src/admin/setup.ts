import { readSetup, type SetupAnswer } from "../contract/operator/overview.ts";
import { defineOperation } from "../operations/operation.ts";

/** What was looked at, and what was found. */
export interface SetupFinding {
  readonly name: string;
  readonly status: "found" | "missing" | "problem";
  readonly detail: string;
  readonly cost?: string | undefined;
  readonly remedy?: string | undefined;
}

interface SetupOptions {
  /** Looks at everything that the service needs or can use. */
  readonly examine: () => Promise<readonly SetupFinding[]>;
  readonly clock: () => number;
}

/** What is missing, what that costs, and how to get it. */
export interface Setup {
  /** @param isFresh looks again, whatever was found before. */
  read(isFresh: boolean): Promise<SetupAnswer>;
}

/** Looking takes seconds and starts programs, so that what was found is told for so long. */
const REMEMBERED_MS = 10 * 60 * 1000;

export function openSetup({ examine, clock }: SetupOptions): Setup {
  let found: { readonly atMs: number; readonly answer: Promise<SetupAnswer> } | undefined;

  async function look(): Promise<SetupAnswer> {
    const checks = (await examine()).map(({ name, status, detail, cost = null, remedy = null }) => ({
      name,
      status,
      detail,
      cost,
      remedy,
    }));
    return { success: true, data: { checkedAt: new Date(clock()).toISOString(), checks } };
  }

  return {
    read(isFresh) {
      const ageMs = found ? clock() - found.atMs : Number.POSITIVE_INFINITY;
      const isGood = ageMs >= 0 && ageMs < REMEMBERED_MS && !isFresh;
      if (!found || !isGood) found = { atMs: clock(), answer: look() };
      const { answer } = found;
      return answer.catch((failure: unknown) => {
        found = undefined;
        throw failure;
      });
    },
  };
}

export interface SetupServices {
  readonly setup: Setup;
}

export const setup = defineOperation({
  ...readSetup,
  handle: ({ query: { fresh } }, services: SetupServices) => services.setup.read(fresh === "true"),
});
