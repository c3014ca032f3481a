import type { RunClient } from "./runs.ts";
import type { World } from "./world.ts";

/** An answer about monitors; a test that reads a member that is not there fails. */
export interface MonitorAnswerBody {
  readonly success: boolean;
  readonly id: string;
  readonly next: string;
  readonly error: string;
  readonly checkId: string;
  readonly warning: string;
  readonly details: readonly {
    readonly code: string;
    readonly path: readonly unknown[];
    readonly keys?: readonly string[];
  }[];
  readonly data: MonitorData;
}

/** A monitor or a check. */
export interface MonitorData {
  readonly id: string;
  readonly status: string;
  readonly schedule: { readonly cron: string; readonly timezone: string };
  readonly nextRunAt: string;
  readonly lastRunAt: string;
  readonly currentCheckId: string | null;
  readonly estimatedCreditsPerMonth: number;
  readonly lastCheckSummary: unknown;
  readonly targets: readonly Readonly<Record<string, unknown>>[];
  readonly webhook: unknown;
  readonly notification: unknown;
  readonly emailRecipientSubscriptions: readonly unknown[];
  readonly goal: string | null;
  readonly retentionDays: number;
  readonly summary: Readonly<Record<string, number>>;
  readonly targetResults: readonly Readonly<Record<string, unknown>>[];
  readonly actualCredits: number;
  readonly billingStatus: string;
  readonly error: string | null;
  readonly next: string;
  readonly pages: readonly MonitorPage[];
}

export interface MonitorPage {
  readonly url: string;
  readonly status: string;
  readonly error: string | null;
  readonly statusCode: number | null;
  readonly previousScrapeId: string | null;
  readonly currentScrapeId: string | null;
  readonly metadata: { readonly searchStatus?: string };
  readonly judgment: { readonly meaningful: boolean } | null;
  readonly diff: { readonly text: string; readonly json: Readonly<Record<string, unknown>> } | null;
  readonly snapshot: { readonly json: unknown };
}

/** Asks a service about monitors. */
export class MonitorClient {
  readonly #runs: Pick<RunClient, "ask">;

  constructor(runs: Pick<RunClient, "ask">) {
    this.#runs = runs;
  }

  async ask(line: string, body?: unknown) {
    const { status, body: answer } = await this.#runs.ask(line, body);
    return { status, body: answer as unknown as MonitorAnswerBody };
  }

  /** Makes a monitor that runs once a year unless it is told. @returns its id. */
  async create(body: Readonly<Record<string, unknown>>): Promise<string> {
    const request = { name: "Watch", schedule: { cron: "0 0 1 1 *" }, ...body };
    const { status, body: answer } = await this.ask("POST /v2/monitor", request);
    if (status !== 200) throw new Error(`The monitor was answered ${status}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  }

  /** Runs a check, and waits until it has ended. @returns it, with its pages. */
  async check(id: string): Promise<MonitorData> {
    const { status, body } = await this.ask(`POST /v2/monitor/${id}/run`);
    if (status !== 200) throw new Error(`The run was answered ${status}: ${body.error}`);
    return this.ended(id, body.id);
  }

  async ended(id: string, checkId: string): Promise<MonitorData> {
    for (;;) {
      const { status, body } = await this.ask(`GET /v2/monitor/${id}/checks/${checkId}?limit=100`);
      if (status !== 200) throw new Error(`The check was answered ${status}: ${body.error}`);
      if (!["queued", "running"].includes(body.data.status)) return body.data;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Has messages that wait for a further attempt sent at once. */
export async function makeMailDue({ app }: Pick<World, "app">): Promise<void> {
  const { database, clock } = app.families.jobs.stores.persistent;
  await database.transaction(async (tx) => {
    await tx.prepared("UPDATE jobs SET run_at = ? WHERE kind = 'monitor-mail'").run(clock.now());
    // Has the worker look.
    const nothing = { kind: "monitor-mail", group: "nothing", payload: "nothing" };
    await app.families.jobs.stores.persistent.queue.add(tx, [nothing]);
  });
}

/** Makes every monitor of a service due at once, as the same schedule does. */
export async function makeAllDue({ app }: Pick<World, "app">): Promise<void> {
  const { database, clock } = app.families.jobs.stores.persistent;
  const dueMs = clock.now();
  await database.transaction(async (tx) => {
    await tx.prepared("UPDATE monitors SET next_run_at = ?").run(dueMs);
    await tx.prepared("UPDATE jobs SET run_at = ? WHERE kind = 'monitor'").run(dueMs);
    // Has the worker look.
    const nothing = { kind: "monitor", group: "nothing", payload: "nothing" };
    await app.families.jobs.stores.persistent.queue.add(tx, [nothing]);
  });
}
