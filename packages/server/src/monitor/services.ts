import type { Outbox } from "../jobs/webhooks/outbox.ts";
import type { JobStore } from "../jobs/run-place.ts";
import type { CompareVersions } from "../scrape/page/version-comparison.ts";
import type { Coordinator } from "../storage/coordination/coordinator.ts";
import type { Jobs } from "../jobs/queue/jobs.ts";
import type { Mail } from "../storage/mail/mail.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { JobStarter } from "../jobs/job-kind.ts";
import type { PageServices } from "../jobs/make-page.ts";
import type { PageSearch } from "../search/run-search.ts";
import type { MonitorPlans } from "./plans.ts";
import type { PageStates } from "./page-states.ts";
import type { TeamTurns } from "./team-turns.ts";

export interface MonitorServices extends PageServices {
  /** Store of all monitors. Data that must not be stored cannot be monitored. */
  readonly place: JobStore;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly plans: MonitorPlans;
  readonly states: PageStates;
  readonly turns: TeamTurns;
  readonly compareVersions: CompareVersions;
  readonly models: LanguageModels;
  /** Undefined when the operator has not configured mail. */
  readonly mail: Mail | undefined;
  /** Domains whose addresses need no confirmation; `*` for all. */
  readonly mailDomains: readonly string[];
  readonly coordinator: Pick<Coordinator, "count">;
  /** Base of links in messages. Undefined: the base of the request that wrote the monitor. */
  readonly publicUrl: string | undefined;
  /** Set after the other services, because crawls use the same stores. */
  readonly starter: () => JobStarter;
  readonly search: PageSearch;
}
