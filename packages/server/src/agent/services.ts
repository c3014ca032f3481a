import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";

import type { Session } from "../interact/session.ts";
import type { JobContext, KindContext, PlacedContext } from "../jobs/job-kind.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { AgentOptions, AgentRequest } from "./request.ts";
import type { AccountServices } from "./step-account.ts";
import type { AgentToolServices } from "./tools/tool.ts";

/** What agents work with. */
export interface AgentContext extends JobContext, Omit<AgentToolServices, "scraping"> {
  readonly scrapeSchema: () => ReturnType<typeof scrapeRequestSchema>;
  readonly books: AccountServices;
  readonly models: LanguageModels;
  /** Of one question, as the operator has set them now. */
  readonly modelBounds: () => { readonly maxInputTokens: number; readonly maxOutputTokens: number };
  /** Where schemas of callers are read. */
  readonly thread: ForeignThread;
  /** Sessions under way in this process, by the id of their job. */
  readonly sessions: Map<string, Session>;
}

export type AgentServices = KindContext<AgentContext, AgentRequest, AgentOptions, AgentOptions>;

/** The same, in a place. */
export type AgentStepParts = PlacedContext<AgentContext, AgentRequest, AgentOptions, AgentOptions>;
