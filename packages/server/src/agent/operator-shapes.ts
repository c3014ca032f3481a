import { z } from "zod";

import { DAY, LATER, SCRAPE_ID, success, URL as EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, Time } from "../api/operator-fields.ts";
import { jobIdPart } from "../jobs/operator/jobs-shapes.ts";
import { operatorOperation } from "../api/operator-operation.ts";

const AgentStep = z.strictObject({
  number: Count.describe("From 1."),
  tool: z.string().describe("done: the step that brought the answer."),
  input: z.string().describe("JSON without secrets, shortened."),
  reason: z.string().nullable().describe("Why the model chose it, in its words."),
  summary: z.string().describe("What came of it."),
  note: z.string().nullable().describe("What the model wanted to remember, in its words."),
  isFailure: z.boolean(),
  isSteering: z.boolean().describe("What it read tries to give language models orders."),
  creditsUsed: z.number().min(0),
  startedAt: Time,
  endedAt: Time,
  pages: z.array(z.strictObject({ url: z.string(), requestId: Id })).describe("Read in this step."),
});

/** `GET /admin/api/jobs/{id}/steps`. */
export const AgentAnswer = answerOf(
  z.strictObject({
    question: z.string(),
    urls: z.array(z.string()).describe("Pages that were named to begin with."),
    answer: z
      .strictObject({ text: z.string(), isPartial: z.boolean().describe("As far as it is known.") })
      .nullable()
      .describe("Words, or JSON."),
    sources: z.array(z.string()),
    steps: z.array(AgentStep),
  }),
);

export type AgentAnswer = z.output<typeof AgentAnswer>;

export const readAgentSteps = operatorOperation({
  line: "GET /admin/api/jobs/{id}/steps",
  summary: "Read what an agent was asked, its steps so far, and its answer",
  params: { id: jobIdPart },
  answer: defineShape("OperatorAgent", AgentAnswer, {
    success,
    data: {
      question: "Who founded Example?",
      urls: [],
      answer: { text: '{"founder":"A. Example"}', isPartial: false },
      sources: [EXAMPLE_URL],
      steps: [
        {
          number: 1,
          tool: "scrape",
          input: `{"url":"${EXAMPLE_URL}"}`,
          reason: "The page about the company names its founders.",
          summary: "200, 1200 characters: About us",
          note: null,
          isFailure: false,
          isSteering: false,
          creditsUsed: 2,
          startedAt: DAY,
          endedAt: LATER,
          pages: [{ url: EXAMPLE_URL, requestId: SCRAPE_ID }],
        },
      ],
    },
  }),
  errors: [403, 404],
});
