import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { AgentCitations } from "../api/citation.ts";
import { DAY, LATER, SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success, Time } from "../api/operator-fields.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import { agentRequestSchema, EFFORTS, MODEL_LABELS } from "./request.ts";

const Text = z.string();

const gate = {
  provider: Text,
  name: Text,
  capability: Text,
  adds: Text.optional().describe("What it would have added, in the words of the agent."),
  version: Text,
};
const Gate = { ...gate, digest: Text, url: Text };

/** Approval that a turn asked for when it ended. */
const PendingApproval = lazy(() =>
  z.strictObject({
    id: Text,
    kind: z.enum(["calls", "terms"]),
    reason: Text,
    calls: z.array(
      z.strictObject({
        id: Text,
        provider: Text,
        capability: Text,
        input: z.looseObject({}),
        creditsEstimate: z.number().nullable(),
      }),
    ),
    terms: z.array(z.strictObject(Gate)).optional().describe("Terms to accept, where kind is terms."),
    resolution: z
      .strictObject({
        approved: z.boolean(),
        callIds: z.array(Text),
        always: z.boolean(),
        byRunId: Text,
      })
      .nullable(),
  }),
);

const Call = lazy(() => z.strictObject({ provider: Text, capability: Text, options: z.looseObject({}) }));

const Exchange = lazy(() =>
  z.strictObject({
    enabled: z.boolean(),
    toolkits: z.array(Text).optional(),
    requireApproval: z.boolean().optional(),
    onTermsRequired: z.enum(["skip", "ask"]).optional(),
    paidCalls: z.number(),
    creditsUsed: z.number().nullable(),
    skippedProviders: z
      .array(z.strictObject({ ...gate, reason: z.literal("terms_required"), termsUrl: Text }))
      .optional()
      .describe("Providers that were not called, because their terms were not accepted."),
    requiresAction: z
      .strictObject({
        type: z.literal("accept_terms"),
        approvalId: Text,
        providers: z.array(z.strictObject({ ...Gate, show: Call(), accept: Call() })),
      })
      .optional()
      .describe("The calls of tools that show and accept these terms."),
  }),
);

const Anything = z.unknown();
const Model = lazy(() => z.enum(MODEL_LABELS).describe("As it was asked for: a label."));
const Effort = lazy(() => z.enum(EFFORTS));
const Mode = lazy(() => z.enum(["extract", "chat"]));
const Suggestions = lazy(() => z.array(z.strictObject({ label: z.string(), prompt: z.string() })));
const unfinished = {
  partial: Anything.optional().describe("What is found of the answer so far. Missing once it is complete."),
  partialSchemaValid: z.boolean().optional().describe("Whether partial fits schema."),
  stopReason: z.literal("credit_limit_reached").optional().describe("Why a failed run has ended."),
};
const Sources = lazy(() =>
  z.array(z.string()).describe("Pages that the answer rests upon. All of them were read."),
);

export const agentRequest = defineShape(
  "AgentRequest",
  () => z.unknown(),
  { prompt: "Who founded Example, and when?" },
  () => agentRequestSchema(documentedScrapeRequest()),
);

export const agentStarted = defineShape(
  "AgentStarted",
  () => z.strictObject({ success: Success, id: z.uuid(), threadId: z.uuid(), threadTurn: z.int().min(1) }),
  { success, id: SCRAPE_ID, threadId: SCRAPE_ID, threadTurn: 1 },
);

export const agentStatus = defineShape(
  "AgentStatus",
  () =>
    z.strictObject({
      success: Success,
      status: z.enum(["processing", "completed", "failed", "cancelled"]),
      data: Anything.optional().describe("The answer, in the shape of schema."),
      ...unfinished,
      message: z.string().optional().describe("The answer of a chat, in Markdown."),
      sources: Sources().optional(),
      citations: AgentCitations()
        .optional()
        .describe(
          "Places of the answer's values by their paths, or of message, in the snapshots of the pages that were read.",
        ),
      suggestions: Suggestions().optional(),
      pendingApproval: PendingApproval().optional(),
      error: z.string().optional().describe("Why the answer is missing."),
      model: Model(),
      effort: Effort().optional(),
      threadId: z.uuid(),
      threadTurn: z.int().min(1),
      mode: Mode(),
      exchange: Exchange().optional(),
      expiresAt: Time,
      creditsUsed: z.number(),
    }),
  {
    success,
    status: "completed",
    data: { founder: "A. Example", year: 1995 },
    sources: [EXAMPLE_URL],
    model: "spark-1-pro",
    threadId: SCRAPE_ID,
    threadTurn: 1,
    mode: "extract",
    expiresAt: LATER,
    creditsUsed: 6,
  },
);

export const agentCancelled = defineShape("AgentCancelled", () => z.strictObject({ success: Success }), {
  success,
});

export const agentList = defineShape(
  "AgentList",
  () =>
    z.strictObject({
      success: Success,
      agents: z.array(
        z.strictObject({
          id: z.uuid(),
          createdAt: Time,
          targetHint: z.string(),
          origin: z.string(),
          integration: z.string().optional(),
          settings: z.strictObject({
            hidden: z.boolean(),
            starred: z.boolean(),
            label: z.string().optional(),
          }),
          status: z
            .enum(["processing", "completed", "failed"])
            .describe("failed also for what was cancelled."),
          options: z.strictObject({
            urls: z.array(z.string()).optional(),
            prompt: z.string(),
            schema: Anything.optional(),
            model: Model(),
            effort: Effort().optional(),
          }),
        }),
      ),
      next: z.string().optional().describe("URL of older ones, if any."),
    }),
  {
    success,
    agents: [
      {
        id: SCRAPE_ID,
        createdAt: DAY,
        targetHint: "example.com",
        origin: "api",
        settings: { hidden: false, starred: false },
        status: "completed",
        options: { prompt: "Who founded Example, and when?", model: "spark-1-pro" },
      },
    ],
  },
);

const TraceEvent = lazy(() =>
  z.looseObject({
    schemaVersion: z.literal(1),
    eventId: z.string(),
    runId: z.uuid(),
    occurredAt: Time,
    producerSequence: z.int(),
    agent: z.strictObject({ id: z.string(), role: z.string(), name: z.string() }),
    type: z.string(),
  }),
);

export const agentTrace = defineShape(
  "AgentTrace",
  () =>
    z.strictObject({
      success: Success,
      id: z.uuid(),
      events: z.array(TraceEvent()),
      creditsUsed: z.number(),
      activeBrowserSessions: z
        .array(
          z.strictObject({
            id: z.string(),
            liveViewUrl: z.string(),
            viewport: z.strictObject({ width: z.int(), height: z.int() }),
          }),
        )
        .optional()
        .describe("With liveView=true: browsers of the run in this process."),
    }),
  {
    success,
    id: SCRAPE_ID,
    events: [
      {
        schemaVersion: 1,
        eventId: `${SCRAPE_ID}:1`,
        runId: SCRAPE_ID,
        occurredAt: DAY,
        producerSequence: 1,
        agent: { id: "agent", role: "orchestrator", name: "Agent" },
        type: "run.started",
      },
    ],
    creditsUsed: 6,
  },
);

export const agentSnapshot = defineShape(
  "AgentSnapshot",
  () => z.strictObject({ success: Success, id: z.uuid(), snapshotId: z.string(), snapshot: z.string() }),
  { success, id: SCRAPE_ID, snapshotId: SCRAPE_ID, snapshot: '{"founder":"A. Example"}' },
);

export const agentThread = defineShape(
  "AgentThread",
  () =>
    z.strictObject({
      success: Success,
      thread: z.strictObject({
        id: z.uuid(),
        createdAt: Time,
        updatedAt: Time,
        status: z.enum(["idle", "running"]),
        runs: z.array(
          z.strictObject({
            id: z.uuid(),
            turn: z.int().min(1),
            mode: Mode(),
            prompt: z.string(),
            urls: z.array(z.string()).optional(),
            schema: Anything.optional(),
            effort: Effort().optional(),
            status: z.enum(["processing", "succeeded", "failed", "cancelled", "credit_limit_reached"]),
            createdAt: Time,
            finishedAt: Time.nullable(),
            creditsUsed: z.number().nullable(),
            message: z.string().nullable(),
            data: Anything.optional().describe("With includeData=true."),
            sources: Sources().optional(),
            ...unfinished,
            suggestions: Suggestions().nullable(),
            pendingApproval: PendingApproval().nullable(),
          }),
        ),
      }),
      next: z.string().optional().describe("URL of later turns, if any: a page has at most 10 MiB."),
    }),
  {
    success,
    thread: {
      id: SCRAPE_ID,
      createdAt: DAY,
      updatedAt: DAY,
      status: "idle",
      runs: [
        {
          id: SCRAPE_ID,
          turn: 1,
          mode: "extract",
          prompt: "Who founded Example, and when?",
          status: "succeeded",
          createdAt: DAY,
          finishedAt: DAY,
          creditsUsed: 6,
          message: null,
          suggestions: null,
          pendingApproval: null,
        },
      ],
    },
  },
);
