import { TeamClient } from "./team-client.ts";
import type { World } from "./world.ts";

/** An answer about agents; a test that reads a member that is not there fails. */
export interface AgentAnswer {
  readonly success: boolean;
  readonly id: string;
  readonly threadId: string;
  readonly threadTurn: number;
  readonly status: string;
  readonly data: unknown;
  readonly partial: unknown;
  readonly message: string;
  readonly error: string;
  readonly code: string;
  readonly jobId: string;
  readonly creditsUsed: number;
  readonly sources: readonly string[];
  readonly citations: Readonly<Record<string, readonly AgentCitation[]>>;
  readonly pendingApproval: { readonly id: string; readonly calls: readonly object[] };
  readonly exchange: Readonly<Record<string, unknown>>;
  readonly agents: readonly { readonly id: string; readonly status: string; readonly targetHint: string }[];
  readonly next: string;
  readonly events: readonly TraceEvent[];
  readonly snapshot: string;
  readonly thread: { readonly status: string; readonly runs: readonly Readonly<Record<string, unknown>>[] };
}

interface AgentCitation {
  readonly snapshotId: string;
  readonly markdownSpan: readonly [number, number];
}

export interface TraceEvent {
  readonly type: string;
  readonly toolName?: string;
  readonly outcome?: string;
  readonly artifact?: {
    readonly snapshotId: string;
    readonly artifactId: string;
    readonly change: string;
    readonly changedFields?: readonly string[];
  };
}

/** Asks a service about agents, as one team. */
export class AgentClient extends TeamClient<AgentAnswer> {
  /** Starts a run. @returns its id. */
  async start(body: Readonly<Record<string, unknown>>): Promise<string> {
    const { status, body: answer } = await this.ask("POST /v2/agent", body);
    if (status !== 200) throw new Error(`The agent was answered ${status}: ${answer.error}`);
    return answer.id;
  }

  /** Waits until a run has ended. */
  async ended(id: string): Promise<AgentAnswer> {
    for (;;) {
      const { status, body } = await this.ask(`GET /v2/agent/${id}`);
      if (status !== 200) throw new Error(`The status was answered ${status}: ${body.error}`);
      if (body.status !== "processing") return body;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async run(body: Readonly<Record<string, unknown>>): Promise<AgentAnswer & { readonly jobId: string }> {
    const jobId = await this.start(body);
    return { ...(await this.ended(jobId)), jobId };
  }
}

/** What the ledger says that a run has cost. */
export async function chargedOf({ app }: Pick<World, "app">, jobId: string): Promise<number> {
  await app.credits.flush();
  const row = await app.families.jobs.stores.persistent.database
    .prepared<{ charged: number | null }>(
      `SELECT sum(amount) AS charged FROM ledger_entries WHERE to_account = 'used' AND id LIKE ?`,
    )
    .get(`${jobId}/%`);
  return row?.charged ?? 0;
}
