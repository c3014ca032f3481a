import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { NotFoundError } from "../../api/errors.ts";
import { success } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { answerOf, Count } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { citationsOf } from "@pergamon-dev/facts/answers/cite";
import { defineOperation } from "../../api/operation.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import { readDetails } from "../../scrape/record.ts";
import type { ScrapeRecord } from "../scrape-rows.ts";
import { pageOfCapture } from "./capture-markdown.ts";
import { keptAnswerOf, type HistoryServices, recordNamed } from "./request-history.ts";

/** A part of the page that an answer is based on. */
const CitedPart = lazy(() =>
  z.strictObject({
    format: z.enum(["answer", "highlights", "summary"]),
    line: z.int().min(1),
    start: Count,
    end: Count,
  }),
);

/**
 * `GET /admin/api/requests/{id}/page` returns the captured page, whatever the formats, and the parts that
 * answers are based on.
 */
const RequestPageAnswer = () =>
  answerOf(
    z.strictObject({
      markdown: z.string(),
      html: z.string().nullable(),
      isCut: z.boolean(),
      cited: z.array(CitedPart()),
    }),
  );

type RequestPageAnswer = z.output<ReturnType<typeof RequestPageAnswer>>;

/** Longer pages are cut. The answer and the cache contain the whole page. */
const MAX_CHARACTERS = 200_000;

/** Options that select the part of a page to read. */
const CONTENT_OPTIONS = ["onlyMainContent", "includeTags", "excludeTags", "removeBase64Images"] as const;

const GONE =
  "The page of this request is not stored. Pages are stored as long as the page cache holds them; replay the request.";

/** Shows the page behind an answer, so that the operator can check the answer against it. */
export const requestPage = defineOperation({
  ...forOperator,
  line: "GET /admin/api/requests/{id}/page",
  answer: defineShape("RequestPage", RequestPageAnswer, {
    success,
    data: {
      markdown: "# Slopes\n\nThe north slope grew 4.1 mm.",
      html: "<h1>Slopes</h1>",
      isCut: false,
      cited: [{ format: "answer", line: 3, start: 10, end: 38 }],
    },
  }),
  errors: [404],
  async handle({ params, signal }, services: HistoryServices) {
    const record = await recordNamed(params.id, services);
    const answer = await keptAnswerOf(record, services, signal);
    const kept = record.captureId === undefined ? pageIn(answer) : undefined;
    const page = kept ?? (await pageBehind(record, services));
    const markdown = page.markdown.slice(0, MAX_CHARACTERS);
    const html = page.html?.slice(0, MAX_CHARACTERS);
    const data = {
      markdown,
      html: html ?? null,
      isCut: markdown.length < page.markdown.length || (html?.length ?? 0) < (page.html?.length ?? 0),
      cited: citedParts(answer, markdown),
    };
    return { success: true, data };
  },
});

/** The page as far as the answer contains it, for requests without a stored version of the page. */
function pageIn(answer: ScrapeData | undefined) {
  const [markdown, html] = [answer?.markdown, answer?.rawHtml ?? answer?.html];
  if (typeof markdown !== "string" && typeof html !== "string") return undefined;
  return {
    markdown: typeof markdown === "string" ? markdown : "",
    html: typeof html === "string" ? html : undefined,
  };
}

/** @throws NotFoundError when the request has no page, or the page is gone. */
export async function pageBehind(record: ScrapeRecord, { services }: HistoryServices) {
  if (record.captureId === undefined) throw new NotFoundError(GONE);
  return pageOfCapture(record.captureId, contentOptionsOf(record), services);
}

function contentOptionsOf({ details }: ScrapeRecord): Readonly<Record<string, unknown>> {
  const body = readDetails(details).kept?.body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return {};
  const sent = new Map(Object.entries(body));
  return Object.fromEntries(
    CONTENT_OPTIONS.flatMap((name) => (sent.has(name) ? [[name, sent.get(name)]] : [])),
  );
}

function citedParts(answer: ScrapeData | undefined, markdown: string): RequestPageAnswer["data"]["cited"] {
  return (["answer", "highlights", "summary"] as const).flatMap((format) => {
    const text = answer?.[format];
    if (typeof text !== "string") return [];
    return citationsOf(text, markdown).map((citation) => ({ format, ...citation }));
  });
}
