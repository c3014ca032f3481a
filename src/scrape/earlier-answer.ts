import type { Caller } from "../accounts/callers.ts";
import type { Documents } from "../documents/documents.ts";
import type { ReadingScrape } from "../documents/reading-scrape.ts";
import type { ScrapeData } from "./answer/schema.ts";
import type { AnswerContext, Answers } from "./answer/answers.ts";
import type { PageCache } from "../stores/captures/page-cache.ts";
import type { Recipe } from "./request/plan.ts";
import type { Records } from "../stores/scrapes/records.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import { refuseAnswer } from "./refuse-answer.ts";
import { factsOf } from "./answer/facts.ts";

export interface Memory {
  readonly records: Records;
  readonly cache: PageCache;
  readonly answers: Answers;
  readonly documents: Documents;
}

/** For whom an answer is made again, and the deadline. */
interface RemakeContext extends Omit<AnswerContext, "documents"> {
  /** As returned by `Date.now()`. */
  readonly deadlineMs: number;
}

/** The caller, and the deadline for making an answer again. */
export type EarlierAnswerContext = Omit<RemakeContext, "teamId"> & { readonly caller: Caller };

/**
 * The data of an earlier scrape of the team: its kept answer, or the same made again from the cached capture.
 * Undefined when there is none, it has expired, or it belongs to another team.
 * @throws ForbiddenError when the caller's key may not ask for what is in it.
 */
export async function earlierAnswer(
  id: string,
  memory: Memory,
  { caller, ...context }: EarlierAnswerContext,
): Promise<ScrapeData | undefined> {
  const { teamId } = caller;
  const found = await memory.records.get(id);
  if (!found || found.isExpired || found.teamId !== teamId) return undefined;
  const { answer, record } = found;
  const data =
    answer === undefined
      ? await remake(record, memory, { ...context, teamId })
      : (JSON.parse(answer) as ScrapeData);
  if (data) refuseAnswer(data, caller);
  return data;
}

async function remake(
  { id, url, captureId, recipe, creditsUsed, cacheState }: ScrapeRecord,
  { cache, answers, documents }: Memory,
  context: RemakeContext,
): Promise<ScrapeData | undefined> {
  const capture = captureId === undefined ? undefined : await cache.load(captureId);
  if (!capture || captureId === undefined || recipe === undefined) return undefined;
  const answer = await answers.make(
    { capture, captureId, how: { ...(JSON.parse(recipe) as Recipe), recipe } },
    { ...context, documents: documents.for(readingAgain(context)) },
  );
  return answer.data(factsOf({ id, sourceUrl: url, creditsUsed, cacheState, captureId }));
}

/** The pages were charged when they were first read. */
function readingAgain({ teamId, deadlineMs }: RemakeContext): ReadingScrape {
  return { teamId, deadlineMs, mayContinue: true, onPages: async () => undefined };
}
