import { citationsOf } from "@pergamon-dev/facts/answers/cite";
import { citeValues, type ValueCitation } from "@pergamon-dev/facts/citations/cite-values";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import type { Choice } from "../scrape/prompts/agent-loop.ts";
import type { AnswerCheck } from "./answer-schema.ts";
import type { AgentAnswer } from "./prompt.ts";
import type { AgentCitation, AgentResult } from "./result.ts";
import { getSnapshot } from "./rows.ts";
import type { AgentStepParts } from "./services.ts";
import type { RunAtStep } from "./step-limits.ts";

/** Places of one value that are named. */
const MAX_PLACES = 3;

type Judgment = Pick<AgentResult, "citations" | "partialSchemaValid">;

/** Says of a draft whether it fits the schema, and of an answer where its values stand in the pages that were read. */
export async function judgeAnswer(
  choice: Choice<AgentAnswer>,
  {
    found,
    store,
    checkAnswer,
  }: Pick<AgentStepParts, "store"> & { found: RunAtStep; checkAnswer: AnswerCheck },
  signal: AbortSignal,
): Promise<Judgment> {
  if (choice.kind === "done")
    return "gaveUp" in choice.answer
      ? {}
      : { citations: await cite(choice.answer.answer, { found, store }, signal) };
  if (choice.draft === undefined || found.options.schema === undefined) return {};
  return { partialSchemaValid: (await checkAnswer(choice.draft, signal)) === undefined };
}

async function cite(
  answer: unknown,
  { found, store }: Pick<AgentStepParts, "store"> & { found: RunAtStep },
  signal: AbortSignal,
): Promise<NonNullable<Judgment["citations"]>> {
  const cited = new Map<string, AgentCitation[]>();
  await forEachInTurns(
    found.steps.flatMap(({ facts }) => facts.artifacts ?? []).filter(({ name }) => name !== "answer"),
    signal,
    async ({ name: url, snapshotId }) => {
      const markdown = await getSnapshot(store.database, found.job.id, snapshotId);
      if (markdown === undefined) return;
      const isChat = found.options.mode === "chat";
      const places = isChat ? { message: placesOf(String(answer), markdown) } : valuesOf(answer, markdown);
      for (const [path, citations] of Object.entries(places)) {
        const all = cited.get(path) ?? [];
        cited.set(path, [
          ...all,
          ...citations.map((citation: ValueCitation) => ({ url, snapshotId, ...citation })),
        ]);
      }
    },
  );
  const surest = (places: readonly AgentCitation[]) =>
    places.toSorted((one, other) => other.confidence - one.confidence).slice(0, MAX_PLACES);
  return Object.fromEntries([...cited].map(([path, places]) => [path, surest(places)]));
}

/** The page's own tree is not stored, so that citations name no selectors. */
function valuesOf(value: unknown, markdown: string): ReturnType<typeof citeValues> {
  const page = { markdown, evidence: parseHtml(""), tree: undefined };
  return citeValues({ value, origins: new Map(), foundBy: "model" }, page);
}

/** Sentences of a text are less sure than values: words are compared. */
const LIKE = 0.7;

function placesOf(text: string, markdown: string) {
  return citationsOf(text, markdown).map(({ start, end }) => {
    const said = markdown.slice(start, end);
    const confidence = text.includes(said) ? 1 : LIKE;
    return { text: said, markdownSpan: [start, end] as const, foundBy: "model" as const, confidence };
  });
}
