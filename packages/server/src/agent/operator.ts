import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { NotFoundError } from "../api/errors.ts";
import { DAY, LATER, SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { AGENT } from "./request.ts";
import type { AgentResult } from "./result.ts";
import { type DoneStep, getAgent, readSteps, resultOf } from "./rows.ts";
import { defineOperation } from "../api/operation.ts";
import { maskBody, maskUrl } from "../scrape/request/masked-body.ts";
import type { AgentServices } from "./services.ts";
import type { JobServices } from "../jobs/operator/jobs.ts";
import { iso, jobIdPart, openJobNamed } from "../jobs/operator/show-job.ts";

const AgentStep = lazy(() =>
  z.strictObject({
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
  }),
);

/** `GET /admin/api/jobs/{id}/steps`. */
export const AgentAnswer = () =>
  answerOf(
    z.strictObject({
      question: z.string(),
      urls: z.array(z.string()).describe("Pages that were named to begin with."),
      answer: z
        .strictObject({ text: z.string(), isPartial: z.boolean().describe("As far as it is known.") })
        .nullable()
        .describe("Words, or JSON."),
      sources: z.array(z.string()),
      steps: z.array(AgentStep()),
    }),
  );

export type AgentAnswer = z.output<ReturnType<typeof AgentAnswer>>;

/** @property agents decrypts the options of agents. */
interface AgentJobServices extends JobServices {
  readonly agents: AgentServices["options"];
}

/** Limit of an answer, in characters. Only the team reads the whole answer. */
const MAX_ANSWER_LENGTH = 100_000;

type Shown = AgentAnswer["data"];

/** Shows the prompt, the steps and the result of an agent. */
export const agentSteps = defineOperation({
  ...forOperator,
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
  async handle({ params: { id } }, { stores, agents, records }: AgentJobServices) {
    await records.flush();
    const { job, store } = await openJobNamed(id, stores);
    const agent = job.family === AGENT ? await getAgent(store.database, job.id) : undefined;
    if (!agent) throw new NotFoundError("This job is not an agent, so it has no steps.");
    const { prompt, urls = [] } = agents.open(job);
    const steps = await readSteps(store.database, job.id);
    const result = resultOf(agent);
    const data: Shown = {
      question: prompt,
      urls: urls.map(maskUrl),
      answer: shownAnswer(result),
      sources: (result.sources ?? []).map(maskUrl),
      steps: steps.map(showStep),
    };
    return { success: true, data };
  },
});

function shownAnswer({ data, message, partial }: AgentResult): Shown["answer"] {
  const isPartial = data === undefined && message === undefined;
  const found = message ?? data ?? partial;
  if (found === undefined) return null;
  const text = typeof found === "string" ? found : JSON.stringify(found, null, 2);
  const isLong = text.length > MAX_ANSWER_LENGTH;
  return { text: isLong ? `${text.slice(0, MAX_ANSWER_LENGTH)} …` : text, isPartial };
}

function showStep({ number, note, facts }: DoneStep): Shown["steps"][number] {
  const { tool, input, reason, summary, creditsUsed, startedAtMs, endedAtMs, visited = [] } = facts;
  return {
    number,
    tool,
    input: JSON.stringify(maskBody(input).body),
    reason: reason ?? null,
    summary,
    note: note === "" ? null : note,
    isFailure: facts.isFailure ?? false,
    isSteering: facts.isSteering ?? false,
    creditsUsed,
    startedAt: iso(startedAtMs),
    endedAt: iso(endedAtMs),
    pages: visited.map(({ url, finalUrl, scrapeId }) => ({
      url: maskUrl(finalUrl ?? url),
      requestId: scrapeId,
    })),
  };
}
