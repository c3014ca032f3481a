import { NotFoundError } from "../api/errors.ts";
import { type AgentAnswer, readAgentSteps } from "./operator-shapes.ts";
import { AGENT } from "./agent-request.ts";
import type { AgentResult } from "./agent-result.ts";
import { type DoneStep, getAgent, readSteps, resultOf } from "./agent-rows.ts";
import { defineOperation } from "../api/operation.ts";
import { maskBody, maskUrl } from "../scrape/request/masked-body.ts";
import type { JobServices } from "../jobs/operator/jobs.ts";
import { iso, openJobNamed } from "../jobs/operator/show-job.ts";

/** Of an answer, in characters: the team reads the whole. */
const MAX_ANSWER_LENGTH = 100_000;

type Shown = AgentAnswer["data"];

/** What an agent was asked, what it has done, and what it has found. */
export const agentSteps = defineOperation({
  ...readAgentSteps,
  async handle({ params: { id } }, { places, agents, records }: JobServices) {
    await records.flush();
    const { run, place } = await openJobNamed(id, places);
    const agent = run.family === AGENT ? await getAgent(place.database, run.id) : undefined;
    if (!agent) throw new NotFoundError("This job is not an agent, so it has no steps.");
    const { prompt, urls = [] } = agents.open(run);
    const steps = await readSteps(place.database, run.id);
    const result = resultOf(agent);
    const data: Shown = {
      question: prompt,
      urls: urls.map(maskUrl),
      answer: answerOf(result),
      sources: (result.sources ?? []).map(maskUrl),
      steps: steps.map(showStep),
    };
    return { success: true, data };
  },
});

function answerOf({ data, message, partial }: AgentResult): Shown["answer"] {
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
