import type { Caller } from "../../accounts/callers.ts";
import type { Interact } from "../../interact/interact.ts";
import { type LoopTool, toolsOf } from "../../scrape/prompts/agent-loop.ts";
import type { Session } from "../../interact/session.ts";
import type { RunServices } from "../../scrape/run.ts";
import type { OpenedTools } from "../../tools/open.ts";
import type { SiteMapper } from "../../map/run-map.ts";
import type { PageSearch } from "../../search/run-search.ts";

/** What tools work with. All that they have done is paid for by the step. */
export interface AgentToolServices {
  readonly scraping: RunServices;
  readonly map: SiteMapper;
  readonly search: PageSearch;
  readonly providers: OpenedTools;
  /** Loaded with the first call. */
  readonly interact: () => Promise<Interact>;
}

/** A page that the run has read. */
export interface ReadPage {
  readonly url: string;
  readonly finalUrl?: string;
  readonly scrapeId: string;
}

/** What of the request holds for all that is done. */
export interface SharedOptions {
  readonly location?: object | undefined;
  readonly country?: string | undefined;
  readonly threatProtection?: object | undefined;
  readonly auditMetadata?: object | undefined;
}

/** How a run may use provider tools. */
export interface ProviderRules {
  /** Undefined: all. */
  readonly toolkits: readonly string[] | undefined;
  readonly callsLeft: number;
  /** Whether a person has to allow this call first. */
  needsApproval(provider: string, capability: string): boolean;
}

export interface ToolContext {
  readonly runId: string;
  /** The same for each attempt of a step. */
  readonly stepId: string;
  readonly caller: Caller;
  readonly linkBase: string;
  readonly shared: SharedOptions;
  /** The only URLs that may be visited; undefined: all. */
  readonly onlyUrls: ReadonlySet<string> | undefined;
  readonly pages: readonly ReadPage[];
  /** The most characters of a text in a prompt. */
  readonly maxLength: number;
  readonly providers: ProviderRules;
  readonly payment: { readonly workId: string; readonly charges: RunServices["charges"] };
  /** Called for a session that others may watch. */
  readonly showSession: (session: Session) => void;
  readonly services: AgentToolServices;
  readonly signal: AbortSignal;
}

/** What a tool has brought. */
export interface ToolOutcome {
  /** For the model. What is in it may come from the web. */
  readonly text: string;
  /** In a few words, for people. */
  readonly summary: string;
  readonly page?: ReadPage;
  /** What is kept to be looked at. */
  readonly artifact?: { readonly kind: "markdown" | "text"; readonly name: string; readonly content: string };
  readonly sessionId?: string;
  readonly paidCalls?: number;
  readonly exchangeCredits?: number;
  /** The provider was not called: a person has to accept these terms of it first. */
  readonly gate?: {
    readonly provider: string;
    readonly name: string;
    readonly capability: string;
    readonly version: string;
    readonly digest: string;
    readonly url: string;
  };
  /** A call that a person has to allow before it is made. */
  readonly heldCall?: {
    readonly provider: string;
    readonly capability: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly creditsEstimate: number | null;
  };
}

/** What decides whether a run has a tool. */
interface ToolNeeds {
  /** Whether only named pages may be visited. */
  readonly isStrict: boolean;
  readonly mayCallProviders: boolean;
}

interface Offer {
  /** Default: always. */
  isOffered?(needs: ToolNeeds): boolean;
}

export type AgentTool = LoopTool<ToolContext, ToolOutcome> & Offer;

export const defineAgentTool = toolsOf<ToolContext, ToolOutcome, Offer>();

/** What spellings of one address have in common; the text itself where it is none. */
export function pageKey(text: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`;
  if (!URL.canParse(whole)) return text;
  const url = new URL(whole);
  url.hash = "";
  return url.href;
}
