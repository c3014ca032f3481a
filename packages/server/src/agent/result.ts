import type { ValueCitation } from "@pergamon-dev/facts/citations/cite-values";
import type { TermsGate } from "./terms-gate.ts";

/** A call that needs a person's approval. */
interface HeldCall {
  readonly id: string;
  readonly provider: string;
  readonly capability: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly creditsEstimate: number | null;
}

/**
 * Approval that a turn asked for when it ended: to make calls, or to use providers after their terms are
 * accepted.
 */
export interface PendingApproval {
  readonly id: string;
  readonly kind: "calls" | "terms";
  readonly reason: string;
  /** Empty when the approval is about terms. */
  readonly calls: readonly HeldCall[];
  readonly terms?: readonly TermsGate[];
  readonly resolution: null | {
    readonly approved: boolean;
    readonly callIds: readonly string[];
    readonly always: boolean;
    readonly byRunId: string;
  };
}

export interface Suggestion {
  readonly label: string;
  readonly prompt: string;
}

/** A place in a page that the run has read, whose text is a snapshot. */
export interface AgentCitation extends ValueCitation {
  readonly url: string;
  readonly snapshotId: string;
}

export interface AgentResult {
  /** The answer in the requested shape. */
  readonly data?: unknown;
  /** The part of the answer that was found so far. */
  readonly partial?: unknown;
  readonly partialSchemaValid?: boolean;
  /** The answer as text. */
  readonly message?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Pages that the answer is based on. */
  readonly sources?: readonly string[];
  /** By the paths of values, or `message`. */
  readonly citations?: Readonly<Record<string, readonly AgentCitation[]>>;
  readonly pendingApproval?: PendingApproval;
}
