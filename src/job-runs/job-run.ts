/** A terminal state never changes, but for a completed batch to which more is appended. */
export type RunState = "scraping" | "completed" | "cancelled" | "failed";

/** A batch, a crawl or the like: many steps that were asked for at once. */
export interface JobRun {
  readonly id: string;
  readonly teamId: string;
  /** Undefined in open mode. */
  readonly keyId: string | undefined;
  /** Name of its family. */
  readonly family: string;
  readonly lane: string;
  readonly state: RunState;
  /** JSON of the family's. */
  readonly options: string;
  /** What links to this service begin with. */
  readonly linkBase: string;
  readonly createdAtMs: number;
  readonly endedAtMs: number | undefined;
  /** Pages admitted: made, failed and to do. */
  readonly total: number;
  /** Pages that became a document. */
  readonly completed: number;
  readonly failed: number;
  readonly creditsUsed: number;
  /** Steps that the engine has, begun or not. */
  readonly handed: number;
  readonly maxHanded: number;
  /** Whether its family may have more steps to hand out. */
  readonly hasMore: boolean;
  readonly warnings: readonly string[];
  /** Why it failed. */
  readonly error: string | undefined;
  /** Whether its documents are deleted. Nothing but its id is known then. */
  readonly isPurged: boolean;
  /** The process that has it in its memory, if others can ask that one. */
  readonly process: string | undefined;
}

/** Which processes work on a run. Runs of the command line have a lane of their own each. */
export const SERVICE_LANE = "service";
/** Of runs that programs start over MCP's standard input. Services continue with them when those programs have ended. */
export const PROGRAM_LANE = "mcp";

/** What a family asks for at the start of a run. */
export interface NewRun {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | undefined;
  readonly family: string;
  /** Default: `SERVICE_LANE`. */
  readonly lane?: string | undefined;
  readonly options: string;
  readonly linkBase: string;
  /** Pages admitted already. */
  readonly total: number;
  /** Steps at once, as asked for; undefined: as many as the team has. */
  readonly maxConcurrency?: number | undefined;
  /** How many the team may have at once, in all its runs together. */
  readonly teamConcurrency: number | undefined;
  readonly webhook?: WebhookSetting | undefined;
}

/** Whom a run tells how it goes. */
export interface WebhookSetting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Empty: all. */
  readonly events: readonly string[];
}

/** What is appended to a run. */
export interface Appended {
  readonly pages: number;
  readonly maxConcurrency?: number | undefined;
  readonly webhook?: WebhookSetting | undefined;
}
