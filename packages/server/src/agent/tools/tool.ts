import type { Caller } from "../../accounts/callers.ts";
import type { Interact } from "../../interact/interact.ts";
import { type LoopTool, toolsOf } from "../../scrape/prompts/agent-loop.ts";
import type { Session } from "../../interact/session.ts";
import type { RunServices } from "../../scrape/run.ts";
import type { OpenedTools } from "../../tools/open.ts";
import type { SiteMapper } from "../../map/run-map.ts";
import type { PageSearch } from "../../search/run-search.ts";

/** Services of tools. The step pays for everything that tools do. */
export interface AgentToolServices {
  readonly scraping: RunServices;
  readonly map: SiteMapper;
  readonly search: PageSearch;
  readonly providers: OpenedTools;
  /** Loaded with the first call. */
  readonly interact: () => Promise<Interact>;
}

export interface ReadPage {
  readonly url: string;
  readonly finalUrl?: string;
  readonly scrapeId: string;
}

/** Options of the request that apply to everything the run does. */
export interface SharedOptions {
  readonly location?: object | undefined;
  readonly country?: string | undefined;
  readonly threatProtection?: object | undefined;
  readonly auditMetadata?: object | undefined;
}

/** Rules for the provider tools of a run. */
export interface ProviderRules {
  /** Undefined: all toolkits. */
  readonly toolkits: readonly string[] | undefined;
  readonly callsLeft: number;
  /** Whether a person must allow this call first. */
  needsApproval(provider: string, capability: string): boolean;
}

export interface ToolContext {
  readonly jobId: string;
  /** Equal for all attempts of a step. */
  readonly stepId: string;
  readonly caller: Caller;
  readonly linkBase: string;
  readonly shared: SharedOptions;
  /** URLs that may be visited. Undefined: all. */
  readonly onlyUrls: ReadonlySet<string> | undefined;
  readonly pages: readonly ReadPage[];
  /** Maximum characters of one text in a prompt. */
  readonly maxLength: number;
  readonly providers: ProviderRules;
  readonly payment: { readonly workId: string; readonly charges: RunServices["charges"] };
  /** Called with a session that others may watch. */
  readonly showSession: (session: Session) => void;
  readonly services: AgentToolServices;
  readonly signal: AbortSignal;
}

export interface ToolOutcome {
  /** Text for the model. It may contain text of the web. */
  readonly text: string;
  /** A few words for people. */
  readonly summary: string;
  readonly page?: ReadPage;
  /** Content that is stored for people to look at. */
  readonly artifact?: { readonly kind: "markdown" | "text"; readonly name: string; readonly content: string };
  readonly sessionId?: string;
  readonly paidCalls?: number;
  readonly exchangeCredits?: number;
  /** Set when the provider was not called because a person must accept its terms first. */
  readonly gate?: {
    readonly provider: string;
    readonly name: string;
    readonly capability: string;
    readonly version: string;
    readonly digest: string;
    readonly url: string;
  };
  /** Set when a person must allow the call first. */
  readonly heldCall?: {
    readonly provider: string;
    readonly capability: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly creditsEstimate: number | null;
  };
}

/** Properties of a run that decide whether it has a tool. */
interface ToolNeeds {
  /** True: only named pages may be visited. */
  readonly isStrict: boolean;
  readonly mayCallProviders: boolean;
}

interface Offer {
  /** Default: always. */
  isOffered?(needs: ToolNeeds): boolean;
}

export type AgentTool = LoopTool<ToolContext, ToolOutcome> & Offer;

export const defineAgentTool = toolsOf<ToolContext, ToolOutcome, Offer>();

/** A key that all spellings of a URL share. Text that is not a URL is its own key. */
export function pageKey(text: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`;
  if (!URL.canParse(whole)) return text;
  const url = new URL(whole);
  url.hash = "";
  return url.href;
}
