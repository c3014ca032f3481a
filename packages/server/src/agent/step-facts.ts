import type { TermsGate } from "./terms-gate.ts";

/** A page that a step has read. */
export interface VisitedPage {
  readonly url: string;
  /** Where a redirect led, if it did. */
  readonly finalUrl?: string;
  readonly scrapeId: string;
}

/** Something that a step has brought, and that is kept as a snapshot. */
export interface Artifact {
  readonly kind: "json" | "markdown" | "text";
  /** `answer`, or the URL of a page. */
  readonly name: string;
  readonly snapshotId: string;
}

/** What is kept of a step besides what later prompts say about it. */
export interface StepFacts {
  readonly tool: string;
  readonly input: unknown;
  /** The same for steps that do the same. */
  readonly key: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly creditsUsed: number;
  /** Why it was chosen, in the words of the model. */
  readonly reason?: string;
  /** What came of it, in a few words. */
  readonly summary: string;
  readonly isFailure?: boolean;
  /** Whether the outcome tries to steer language models. */
  readonly isSteering?: boolean;
  readonly visited?: readonly VisitedPage[];
  readonly artifacts?: readonly Artifact[];
  readonly sessionId?: string;
  /** Calls of provider tools that cost something. */
  readonly paidCalls?: number;
  readonly exchangeCredits?: number;
  /** The provider was not called, because its terms were not accepted. */
  readonly gate?: TermsGate;
}
