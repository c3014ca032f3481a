import { type AgentRun, resultOf, runsOfThread } from "./agent-rows.ts";
import type { AgentStepParts } from "./agent-services.ts";
import type { EarlierTurn } from "./instructions.ts";
import type { RunAtStep } from "./run-at-step.ts";

/** Of a long thread, the last turns. */
const SHOWN_TURNS = 5;

/** What was asked and answered before in the thread of a run. */
export async function readEarlierTurns(
  { agent }: RunAtStep,
  { place, options }: Pick<AgentStepParts, "place" | "options">,
): Promise<readonly EarlierTurn[]> {
  if (agent.turn === 1) return [];
  const range = { before: agent.turn, count: SHOWN_TURNS };
  return (await runsOfThread(place.database, agent, range)).map((one) =>
    turnOf(one, options.open(one.run).prompt),
  );
}

function turnOf({ run, agent }: AgentRun, prompt: string): EarlierTurn {
  const { data, message, partial, pendingApproval } = resultOf(agent);
  const found = data ?? partial;
  const said = message ?? (found === undefined ? undefined : JSON.stringify(found));
  const answer = [said, run.error && `(${run.error})`].filter(Boolean).join(" ") || "(nothing)";
  const { resolution, calls, terms } = pendingApproval ?? {};
  if (!resolution || !calls) return { prompt, answer };
  if (terms) {
    const providers = terms.map(({ provider }) => JSON.stringify(provider)).join(", ");
    const words = resolution.approved ? "has agreed to" : "has declined";
    return { prompt, answer, approval: `The person ${words} the terms of: ${providers}.` };
  }
  const names = calls
    .filter(({ id }) => !resolution.approved || resolution.callIds.includes(id))
    .map(({ provider, capability }) => JSON.stringify(`${provider} ${capability}`));
  return {
    prompt,
    answer,
    approval: `The person ${resolution.approved ? "allows" : "refuses"} these calls: ${names.join(", ")}.`,
  };
}
