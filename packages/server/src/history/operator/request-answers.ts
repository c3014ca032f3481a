import { page } from "../../api/common-shapes.ts";
import { NotFoundError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import { scrapeAnswer } from "../../scrape/answer/shape.ts";
import { keptAnswerOf, type HistoryServices, recordNamed } from "./request-history.ts";
import { pageBehind } from "./request-page.ts";

/** Blocks scripts, styles, requests and forms of the page. Only embedded images are shown. */
const PREVIEW_POLICY = "sandbox; default-src 'none'; img-src data:";

export const requestAnswer = defineOperation({
  line: "GET /admin/api/requests/{id}/answer",
  access: "operator",
  tag: "Operator",
  answer: scrapeAnswer,
  errors: [404],
  async handle({ params, signal }, services: HistoryServices) {
    const record = await recordNamed(params.id, services);
    const data = await keptAnswerOf(record, services, signal);
    if (!data)
      throw new NotFoundError(
        "The response of this request is not stored. Responses are stored for one day.",
      );
    return { success: true, data };
  },
});

export const requestPreview = defineOperation({
  line: "GET /admin/preview/{id}",
  access: "operator",
  tag: "Operator",
  answer: page,
  errors: [404],
  async handle({ params, signal }, services: HistoryServices) {
    const record = await recordNamed(params.id, services);
    const data = await keptAnswerOf(record, services, signal);
    const html = data?.html ?? data?.rawHtml ?? (await pageBehind(record, services)).html;
    if (typeof html !== "string") throw new NotFoundError("The page of this request is not HTML.");
    return new Outgoing(html, {
      type: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": PREVIEW_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      },
    });
  },
});
