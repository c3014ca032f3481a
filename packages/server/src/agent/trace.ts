import type { AgentRun, Artifact, DoneStep, StepFacts } from "./rows.ts";
import { iso, outcomeOf } from "./status.ts";
import { MAX_CREDITS } from "./step-limits.ts";

/** Events of a run. Later calls return the same events, with those of later steps appended. */
export function traceOf({ job, agent }: AgentRun, steps: readonly DoneStep[]): readonly object[] {
  const events = new TraceEvents(job.id);
  events.add(job.createdAtMs, { type: "run.started" });
  if (agent.startedAtMs !== null) {
    events.add(agent.startedAtMs, { type: "agent.started" });
    events.add(agent.startedAtMs, {
      type: "progress.reported",
      phase: "planning",
      message: "Choosing the first step.",
    });
  }
  for (const step of steps) addStep(events, step);
  addEnd(events, { job, agent });
  return events.all;
}

class TraceEvents {
  readonly all: object[] = [];
  readonly #runId: string;

  constructor(runId: string) {
    this.#runId = runId;
  }

  add(atMs: number, particulars: { readonly type: string } & Readonly<Record<string, unknown>>): void {
    const number = this.all.length + 1;
    this.all.push({
      schemaVersion: 1,
      eventId: `${this.#runId}:${number}`,
      runId: this.#runId,
      occurredAt: iso(atMs),
      producerSequence: number,
      agent: AGENT_IDENTITY,
      ...particulars,
    });
  }
}

const AGENT_IDENTITY = { id: "agent", role: "orchestrator", name: "Agent" };

function addStep(events: TraceEvents, { number, facts }: DoneStep): void {
  const { startedAtMs, endedAtMs, reason, tool, input, summary, isFailure, sessionId } = facts;
  if (reason !== undefined) events.add(startedAtMs, { type: "reasoning.summary", text: reason });
  const toolCallId = `step-${number}`;
  if (tool !== "done") {
    const call = { toolCallId, toolName: tool };
    events.add(startedAtMs, { type: "tool_call.started", ...call, parameters: input });
    if (sessionId !== undefined) addSession(events, facts, sessionId);
    const result = { summary, ...(isFailure && { failed: true }), creditsUsed: facts.creditsUsed };
    events.add(endedAtMs, { type: "tool_call.finished", ...call, result });
  }
  for (const artifact of facts.artifacts ?? [])
    addArtifact(events, { artifact, toolCallId, endedAtMs, tool });
}

function addSession(events: TraceEvents, { startedAtMs, endedAtMs }: StepFacts, sessionId: string): void {
  events.add(startedAtMs, { type: "browser.session.started", sessionId });
  events.add(endedAtMs, { type: "browser.session.finished", sessionId, durationMs: endedAtMs - startedAtMs });
}

interface Told {
  readonly artifact: Artifact;
  readonly toolCallId: string;
  readonly endedAtMs: number;
  readonly tool: string;
}

const MAX_NAME_LENGTH = 200;

function addArtifact(events: TraceEvents, { artifact, toolCallId, endedAtMs, tool }: Told): void {
  const { kind, name, snapshotId } = artifact;
  const isAnswer = name === "answer";
  events.add(endedAtMs, {
    type: "artifact.updated",
    artifact: {
      kind,
      artifactId: name.slice(0, MAX_NAME_LENGTH),
      snapshotId,
      change: !isAnswer ? "init" : tool === "done" ? "update" : "partial",
      ...(tool !== "done" && { sourceToolCallId: toolCallId }),
    },
  });
}

/** @property source names who caused the error. */
function errorOf(message: string | undefined, outcome: string | undefined) {
  if (outcome === "succeeded" || outcome === undefined) return null;
  if (outcome === "cancelled")
    return { code: "cancelled", source: "system", retryable: false, message: "Cancelled." };
  const isCredits = outcome === "credit_limit_reached";
  const code = isCredits ? "credit_limit_reached" : "internal";
  return {
    code,
    source: isCredits ? "billing" : "agent",
    retryable: !isCredits,
    message: message ?? MAX_CREDITS,
  };
}

function addEnd(events: TraceEvents, { job, agent }: AgentRun): void {
  const outcome = outcomeOf(job);
  const { endedAtMs } = job;
  if (outcome === undefined || endedAtMs === undefined) return;
  const error = errorOf(job.error, outcome);
  if (outcome === "cancelled") events.add(endedAtMs, { type: "run.cancel_requested", reason: "user" });
  else if (error) events.add(endedAtMs, { type: "error.occurred", error });
  if (agent.startedAtMs !== null) {
    const ofAgent = outcome === "credit_limit_reached" ? "failed" : outcome;
    const durationMs = Math.max(0, endedAtMs - agent.startedAtMs);
    events.add(endedAtMs, { type: "agent.finished", outcome: ofAgent, durationMs, error });
  }
  events.add(endedAtMs, { type: "run.finished", outcome, error });
}
