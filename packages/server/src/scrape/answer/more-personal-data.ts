import { z } from "zod";

import type { KnownText } from "@pergamon-dev/facts/redaction/span";
import { RedactionEntity } from "../../api/request-options.ts";
import type { Page, PageOptions } from "../page/page.ts";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import type { Ask, PageQuestion } from "../formats/ask.ts";
import { chunkLimits } from "../formats/long-page.ts";
import { redactionPrompt } from "../prompts/prompts.ts";

/** Maximum parts of a page that a model reads. */
const MAX_PARTS = 8;
/**
 * Length in UTF-16 units. A shorter piece occurs in too many places, a longer one holds more than personal
 * data.
 */
const SHORTEST = 2;
const MAX_LENGTH = 200;

const Reply = z.object({ spans: z.array(z.object({ text: z.string(), kind: RedactionEntity })).max(1000) });
const Spans = z.array(z.object({ text: z.string(), entity: RedactionEntity }));

interface MorePersonalData {
  readonly also: readonly KnownText[];
  /** False when a model left a part of the page unanswered. */
  readonly isAnswered: boolean;
}

/**
 * Asks a model for personal data that rules left in a page. It only names pieces of the page, so it cannot
 * change any text.
 */
export async function findMorePersonalData(
  page: Page,
  { entities = [] }: NonNullable<PageOptions["redaction"]>,
  model: Ask,
): Promise<MorePersonalData> {
  const { chunks } = await page.chunks(chunkLimits(model, MAX_PARTS), "");
  const wanted = entities.length > 0 ? entities : RedactionEntity.options;
  const answers = await Promise.all(chunks.map((chunk) => model.ask(questionAbout(chunk, wanted))));
  const also = answers.flatMap((answered) => (answered ? Spans.parse(JSON.parse(answered.answer)) : []));
  return { also, isAnswered: answers.every((answered) => answered !== undefined) };
}

function questionAbout(text: string, wanted: readonly KnownText["entity"][]): PageQuestion<string> {
  return {
    key: ["redaction", text, wanted],
    ...redactionPrompt(text, wanted),
    check: (value) => checkSpans(value, text, wanted),
  };
}

/** Accepts only pieces that are on the page word for word, and none that rules inserted. */
function checkSpans(value: unknown, text: string, wanted: readonly KnownText["entity"][]): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply) return { problem: "The field `spans`, a list of objects with `text` and `kind`, is missing." };
  const believed = reply.spans.filter(
    ({ text: piece, kind }) =>
      wanted.includes(kind) &&
      piece.length >= SHORTEST &&
      piece.length <= MAX_LENGTH &&
      /[\p{L}\p{N}]/u.test(piece) &&
      !/[<>*\n]/.test(piece) &&
      text.includes(piece),
  );
  const spans = believed.map(({ text: piece, kind }) => ({ text: piece.trim(), entity: kind }));
  return { answer: JSON.stringify([...new Map(spans.map((span) => [span.text, span])).values()]) };
}
