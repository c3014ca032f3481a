import type { crawl } from "../crawl/crawl.ts";
import type { JobContext, KindContext } from "../jobs/job-kind.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { CompareVersions } from "../scrape/page/version-comparison.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { Post, PostAnswer } from "../net/post.ts";
import type { PageSearch } from "../search/run-search.ts";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import type { Coordinator } from "../storage/coordination/coordinator.ts";
import type { Mail } from "../storage/mail/mail.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { PageStates } from "./page-states.ts";
import type { CheckPlan } from "./plans.ts";
import type { MonitorPlan, MonitorRequest } from "./request.ts";
import type { TeamTurns } from "./team-turns.ts";

export interface MonitorContext extends JobContext {
  readonly scrapeSchema: () => ReturnType<typeof scrapeRequestSchema>;
  readonly compareVersions: CompareVersions;
  readonly models: LanguageModels;
  readonly search: PageSearch;
  readonly crawl: typeof crawl;
  readonly blobs: BlobStore;
  /** Sends a message to a channel, through the guard. @returns the status. */
  readonly sendLetter: (letter: Post, signal: AbortSignal) => Promise<PostAnswer>;
  readonly coordinator: Pick<Coordinator, "count">;
  /** Undefined when the operator has not configured mail. */
  readonly mail: Mail | undefined;
  /** Domains whose addresses need no confirmation; `*` for all. */
  readonly mailDomains: readonly string[];
  /** Base of links in messages. Undefined: the base of the request that wrote the monitor. */
  readonly publicUrl: string | undefined;
}

export interface MonitorServices extends KindContext<MonitorContext, MonitorRequest, MonitorPlan, CheckPlan> {
  /** Store of all monitors. Data that must not be stored cannot be monitored. */
  readonly store: JobStore;
  readonly states: PageStates;
  readonly turns: TeamTurns;
}
