import type { TermsGate } from "./terms-gate.ts";

/** A call that a person has to allow. */
interface HeldCall {
  readonly id: string;
  readonly provider: string;
  readonly capability: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly creditsEstimate: number | null;
}

/** What a turn ended with that asks for leave: to make calls, or to use providers whose terms are accepted by then. */
export interface PendingApproval {
  readonly id: string;
  readonly kind: "calls" | "terms";
  readonly reason: string;
  /** None where it is about terms. */
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

/** What a run has brought. */
export interface AgentResult {
  /** The answer, in the shape that was asked for. */
  readonly data?: unknown;
  /** What was found of it so far. */
  readonly partial?: unknown;
  /** The answer in words. */
  readonly message?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Pages that it rests upon. */
  readonly sources?: readonly string[];
  readonly pendingApproval?: PendingApproval;
}
