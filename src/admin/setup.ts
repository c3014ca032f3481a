import type { FastifyInstance } from "fastify";

import { type SetupAnswer, SetupQuery } from "../contract/operator/overview.ts";

/** What was looked at, and what was found. */
export interface Finding {
  readonly name: string;
  readonly status: "found" | "missing" | "problem";
  readonly detail: string;
  readonly cost?: string | undefined;
  readonly remedy?: string | undefined;
}

export interface SetupRoutes {
  /** Looks at everything that the service needs or can use. */
  readonly examine: () => Promise<readonly Finding[]>;
  readonly clock: () => number;
}

/** Looking takes seconds and starts programs, so that what was found is told for so long. */
const REMEMBERED_MS = 10 * 60 * 1000;

/** What is missing, what that costs, and how to get it. */
export function addSetupRoute(app: FastifyInstance, { examine, clock }: SetupRoutes): void {
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

  app.get("/admin/api/setup", async ({ query }) => {
    const { fresh } = SetupQuery.parse(query);
    const ageMs = found ? clock() - found.atMs : Number.POSITIVE_INFINITY;
    const isGood = ageMs >= 0 && ageMs < REMEMBERED_MS && fresh !== "true";
    if (!found || !isGood) found = { atMs: clock(), answer: look() };
    const { answer } = found;
    return answer.catch((failure: unknown) => {
      found = undefined;
      throw failure;
    });
  });
}
