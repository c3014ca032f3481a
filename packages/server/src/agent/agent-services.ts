import type { Callers } from "../accounts/callers.ts";
import type { Session } from "../interact/session.ts";
import type { RunPlace, RunPlaces } from "../jobs/run-place.ts";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { LanguageModels } from "../storage/models/language-models.ts";
import type { SealedOptions } from "./agent-options.ts";
import type { AgentRequest } from "./agent-request.ts";
import type { AccountServices } from "./step-account.ts";
import type { AgentToolServices } from "./tools/tool.ts";

/** What steps of agents are made with. */
export interface AgentStepServices extends AgentToolServices {
  readonly options: SealedOptions;
  readonly books: AccountServices;
  readonly callers: Pick<Callers, "ofWork">;
  readonly models: LanguageModels;
  /** Of one question, as the operator has set them now. */
  readonly modelBounds: () => { readonly maxInputTokens: number; readonly maxOutputTokens: number };
  /** Where schemas of callers are read. */
  readonly thread: ForeignThread;
  /** Sessions under way in this process, by the id of their run. */
  readonly sessions: Map<string, Session>;
}

/** The same, in a place. */
export interface AgentStepParts extends AgentStepServices {
  readonly place: RunPlace;
}

export interface AgentServices extends AgentStepServices {
  readonly places: RunPlaces;
  /** @throws ZodError for an invalid body. */
  readonly request: (body: unknown) => AgentRequest;
  /** Which processes work on what is started. Default: those of the service. */
  readonly lane?: string;
}
