import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";

import type { Session } from "../interact/session.ts";
import type { JobContext, KindContext, PlacedContext } from "../jobs/job-kind.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { AgentOptions, AgentRequest } from "./request.ts";
import type { AccountServices } from "./step-account.ts";
import type { AgentToolServices } from "./tools/tool.ts";

export interface AgentContext extends JobContext, Omit<AgentToolServices, "scraping"> {
  readonly scrapeSchema: () => ReturnType<typeof scrapeRequestSchema>;
  readonly books: AccountServices;
  readonly models: LanguageModels;
  /** Token limits of one question, as currently configured. */
  readonly modelBounds: () => { readonly maxInputTokens: number; readonly maxOutputTokens: number };
  /** Thread that reads callers' schemas. */
  readonly thread: ForeignThread;
  /** Active sessions of this process, by the id of their job. */
  readonly sessions: Map<string, Session>;
}

export type AgentServices = KindContext<AgentContext, AgentRequest, AgentOptions, AgentOptions>;

export type AgentStepParts = PlacedContext<AgentContext, AgentRequest, AgentOptions, AgentOptions>;
