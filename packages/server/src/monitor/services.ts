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

/** What checks are made with. */
export interface MonitorServices extends PageServices {
  /** Where all of it lives: what is not to be kept cannot be monitored. */
  readonly place: JobStore;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly plans: MonitorPlans;
  readonly states: PageStates;
  readonly turns: TeamTurns;
  readonly compareVersions: CompareVersions;
  readonly models: LanguageModels;
  /** Undefined when the operator has set none. */
  readonly mail: Mail | undefined;
  /** Whose addresses need not confirm that they want messages; `*` for all. */
  readonly mailDomains: readonly string[];
  readonly coordinator: Pick<Coordinator, "count">;
  /** What links in messages begin with; undefined: as the monitor was asked for. */
  readonly publicUrl: string | undefined;
  /** Set later than the others: crawls use the same places. */
  readonly starter: () => JobStarter;
  readonly search: PageSearch;
}
