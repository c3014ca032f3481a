import { readSetup, type SetupAnswer } from "../contract/operator/overview.ts";
import { defineOperation } from "../operations/operation.ts";

/** What was looked at, and what was found. */
export interface SetupFinding {
  readonly name: string;
  readonly status: "found" | "missing" | "problem";
  readonly detail: string;
  readonly cost?: string;
  readonly remedy?: string;
}

interface SetupOptions {
  /** How parts fare in real use, each time again: it changes faster than what is installed. */
  readonly addLastUse: (findings: readonly SetupFinding[]) => Promise<readonly SetupFinding[]>;
  /** Looks at everything that the service needs or can use. */
  readonly examine: () => Promise<readonly SetupFinding[]>;
  readonly clock: () => number;
}

/** What is missing, what that costs, and how to get it. */
export interface Setup {
  /** @param isFresh looks again, even if something was found before. */
  read(isFresh: boolean): Promise<SetupAnswer>;
}

/** Looking takes seconds and starts programs, so its results are reused for so long. */
const REMEMBERED_MS = 10 * 60 * 1000;

export function openSetup({ examine, addLastUse, clock }: SetupOptions): Setup {
  let found: { readonly atMs: number; readonly findings: Promise<readonly SetupFinding[]> } | undefined;

  async function answerOf(findings: readonly SetupFinding[], atMs: number): Promise<SetupAnswer> {
    const checks = (await addLastUse(findings)).map(
      ({ name, status, detail, cost = null, remedy = null }) => ({
        name,
        status,
        detail,
        cost,
        remedy,
      }),
    );
    return { success: true, data: { checkedAt: new Date(atMs).toISOString(), checks } };
  }

  return {
    async read(isFresh) {
      const ageMs = found ? clock() - found.atMs : Number.POSITIVE_INFINITY;
      const isGood = ageMs >= 0 && ageMs < REMEMBERED_MS && !isFresh;
      if (!found || !isGood) found = { atMs: clock(), findings: examine() };
      const { atMs, findings } = found;
      try {
        return await answerOf(await findings, atMs);
      } catch (failure) {
        found = undefined;
        throw failure;
      }
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
