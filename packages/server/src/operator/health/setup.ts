import type { Config } from "../../config/config.ts";
import { DAY, success } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { forOperator } from "../../api/operator-operation.ts";
import type { DoctorResult } from "./check.ts";
import type { PartHealth } from "../../storage/part-health.ts";
import { defineOperation } from "../../api/operation.ts";
import { SetupAnswer, SetupQuery } from "../overview.ts";

interface SetupOptions {
  readonly config: Config;
  readonly health: Pick<PartHealth, "read">;
}

/** Checks take seconds and start programs, so their results are reused for this long. */
const REMEMBERED_MS = 10 * 60 * 1000;
/** A check that needs longer has failed. */
const EXAMINE_MS = 60_000;

/** Findings about what is missing, what that costs, and how to get it. */
export class Setup {
  readonly #options: SetupOptions;
  #found: { readonly atMs: number; readonly results: Promise<readonly DoctorResult[]> } | undefined;

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  /**
   * Reads the last use of parts each time, because it changes faster than the installed parts.
   * @param isFresh runs the checks again even when there are results.
   */
  async read(isFresh: boolean): Promise<SetupAnswer> {
    const ageMs = this.#found ? Date.now() - this.#found.atMs : Number.POSITIVE_INFINITY;
    const isGood = ageMs >= 0 && ageMs < REMEMBERED_MS && !isFresh;
    if (!this.#found || !isGood) this.#found = { atMs: Date.now(), results: this.#examine() };
    const { atMs, results } = this.#found;
    try {
      const { withLastUse } = await import("./last-use.ts");
      const judged = withLastUse(await results, await this.#options.health.read(), Date.now());
      const checks = judged.map(({ name, status, detail, cost = null, remedy = null }) => ({
        name,
        status,
        detail,
        cost,
        remedy,
      }));
      return { success: true, data: { checkedAt: new Date(atMs).toISOString(), checks } };
    } catch (failure) {
      this.#found = undefined;
      throw failure;
    }
  }

  /**
   * Runs all checks but that of the port, on which this service listens. A model is asked unless it has just
   * worked, because each question costs.
   */
  async #examine(): Promise<readonly DoctorResult[]> {
    const { config, health } = this.#options;
    const { doctorSettings, runDoctor } = await import("./check.ts");
    const { checks } = await import("./checks.ts");
    const { recentlyWorked } = await import("./last-use.ts");
    const { PARTS } = await import("../../storage/part-health.ts");
    const asksModels = !recentlyWorked(await health.read(), Date.now()).has(PARTS.model);
    const relevant = checks.filter(({ name }) => name !== "Port");
    const signal = AbortSignal.timeout(EXAMINE_MS);
    return runDoctor({ ...doctorSettings(config), asksModels }, relevant, signal);
  }
}

export interface SetupServices {
  readonly setup: Pick<Setup, "read">;
}

export const setup = defineOperation({
  ...forOperator,
  line: "GET /admin/api/setup",
  query: SetupQuery,
  answer: defineShape("Setup", SetupAnswer, {
    success,
    data: {
      checkedAt: DAY,
      checks: [
        {
          name: "Language model",
          status: "missing",
          detail: "not configured",
          cost: "No structured data by prompt or schema.",
          remedy: "Set LLM_BASE_URL.",
        },
      ],
    },
  }),
  errors: [400],
  handle: ({ query: { fresh } }, services: SetupServices) => services.setup.read(fresh === "true"),
});
