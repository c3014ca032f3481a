import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { success } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { defineOperation } from "../../api/operation.ts";
import { answerOf, Time } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { ownFailure, PROBLEMS } from "@pergamon-dev/kit/process/own-failure";
import { lastUseMs, type PartState, problemOf } from "../../storage/part-health.ts";
import type { DoctorResult, Finding } from "./check.ts";
import { withLastUse } from "./last-use.ts";
import { askPart, type AskedPart } from "./readiness.ts";

const Incident = lazy(() =>
  z.strictObject({
    part: z.string(),
    problem: z.string(),
    since: Time,
    cost: z.string(),
    remedy: z.string(),
  }),
);

const IncidentsAnswer = () =>
  answerOf(
    z.strictObject({
      isReadOnly: z.boolean().describe("Changes cannot be stored now."),
      incidents: z.array(Incident()),
    }),
  );
type IncidentsAnswer = z.output<ReturnType<typeof IncidentsAnswer>>;
type Incident = z.output<ReturnType<typeof Incident>>;

interface IncidentOptions {
  readonly asked: readonly AskedPart[];
  readonly used: () => Promise<readonly PartState[]>;
  /** Checks of the machine that cost next to nothing. */
  readonly looked: () => Promise<readonly DoctorResult[]>;
  readonly clock?: () => number;
}

/** Viewers together ask no more often. */
const REMEMBERED_MS = 2000;
/** Without these nothing can be stored. */
const STORING: ReadonlySet<string> = new Set(["database", "history"]);

/** What does not work right now: the rows of the health table that say so, each since it was first seen. */
export class Incidents {
  readonly #options: IncidentOptions;
  readonly #sinceMs = new Map<string, number>();
  #latest: { readonly atMs: number; readonly incidents: Promise<readonly Incident[]> } | undefined;

  constructor(options: IncidentOptions) {
    this.#options = options;
  }

  async read(): Promise<readonly Incident[]> {
    const nowMs = this.#now();
    const ageMs = nowMs - (this.#latest?.atMs ?? 0);
    if (!this.#latest || ageMs < 0 || ageMs >= REMEMBERED_MS)
      this.#latest = { atMs: nowMs, incidents: this.#look(nowMs) };
    return this.#latest.incidents;
  }

  async #look(nowMs: number): Promise<readonly Incident[]> {
    const { asked, used, looked } = this.#options;
    const [failed, machine, uses] = await Promise.all([
      Promise.all(asked.map(problemOfPart)),
      looked(),
      used(),
    ]);
    const judged = withLastUse(machine, uses, nowMs);
    const found = [...failed.flat(), ...judged].filter(({ status }) => status === "problem");
    const names = new Set(found.map(({ name }) => name));
    for (const name of this.#sinceMs.keys()) if (!names.has(name)) this.#sinceMs.delete(name);
    return found.map(({ name, detail, cost = "", remedy = "" }) => {
      const failedMs = uses.filter(({ part }) => part === name).map(lastUseMs);
      if (!this.#sinceMs.has(name)) this.#sinceMs.set(name, Math.min(nowMs, ...failedMs));
      const since = new Date(this.#sinceMs.get(name) ?? nowMs).toISOString();
      return { part: name, problem: detail, since, cost, remedy };
    });
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)();
  }
}

/** Nothing, if the part works. */
async function problemOfPart(part: AskedPart): Promise<readonly DoctorResult[]> {
  const { name, cost = "", remedy = "" } = part;
  try {
    await askPart(part);
    return [];
  } catch (failure) {
    const lacking = ownFailure(failure);
    const detail = lacking ? PROBLEMS[lacking] : problemOf(failure);
    return [{ name, status: "problem", detail, cost, remedy } satisfies Finding & { name: string }];
  }
}

export interface IncidentServices {
  readonly incidents: Pick<Incidents, "read">;
}

/** What stands on every screen. It answers whatever is away. */
export const currentIncidents = defineOperation({
  ...forOperator,
  line: "GET /admin/api/incidents",
  answer: defineShape("Incidents", IncidentsAnswer, {
    success,
    data: {
      isReadOnly: false,
      incidents: [],
    },
  }),
  async handle(_call, services: IncidentServices): Promise<IncidentsAnswer> {
    const incidents = await services.incidents.read();
    return {
      success: true,
      data: { isReadOnly: incidents.some(({ part }) => STORING.has(part)), incidents: [...incidents] },
    };
  },
});
