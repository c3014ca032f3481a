import { z } from "zod";

import { scrapeIdPart, success } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { answerOf, Count } from "../../api/operator-fields.ts";
import { operatorOperation } from "../../api/operator-operation.ts";

/** A part of a page that an answer comes from. */
const CitedPart = z.strictObject({
  format: z.enum(["answer", "highlights", "summary"]).describe("The format that contains this text."),
  line: z.int().min(1),
  start: Count.describe("First character in the Markdown."),
  end: Count.describe("Position after the last character."),
});

/** `GET /admin/api/requests/{id}/page`: the page as it was captured, for any formats, and where its answers come from. */
export const RequestPageAnswer = answerOf(
  z.strictObject({
    markdown: z.string(),
    html: z.string().nullable().describe("Null for pages that are not HTML."),
    isCut: z.boolean().describe("True when the Markdown or the HTML is too long to be shown whole."),
    cited: z.array(CitedPart).describe("In the order of the page, by format."),
  }),
);

export type RequestPageAnswer = z.output<typeof RequestPageAnswer>;
export const readRequestPage = operatorOperation({
  line: "GET /admin/api/requests/{id}/page",
  summary: "Read the page of a request as Markdown and HTML, with the lines that its answers use",
  params: { id: scrapeIdPart },
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
});
