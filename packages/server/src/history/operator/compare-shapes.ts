import { z } from "zod";

import { success } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { operatorOperation } from "../../api/operator-operation.ts";
import { REPLAY_ID, requestExample } from "./requests-shapes.ts";
import { answerOf, Count, Id } from "../../api/operator-fields.ts";
import { RequestEntry } from "./requests-shapes.ts";

/** `GET /admin/api/compare`. */
export const CompareQuery = z.object({ a: Id.max(100), b: Id.max(100) });

/** A piece of two texts that belongs together: what is the same around, what only one of them has. */
const Hunk = z.strictObject({
  aLine: Count.describe("First line in a, from 1."),
  bLine: Count.describe("First line in b, from 1."),
  lines: z.array(
    z.strictObject({
      kind: z.enum(["same", "removed", "added"]).describe("removed: only in a; added: only in b."),
      text: z.string(),
    }),
  ),
});

export const TextDifference = z.strictObject({
  hunks: z.array(Hunk),
  isCut: z.boolean().describe("True when the list of differences is truncated."),
});

/** One place where two documents differ. What one of them lacks is left out. */
const JsonDifference = z.strictObject({
  path: z.string().describe("Such as `$.metadata.title` or `$.links[3]`."),
  a: z.json().exactOptional(),
  b: z.json().exactOptional(),
});

const Screenshots = z.strictObject({
  a: z.string().nullable().describe("Download URL; null when the screenshot has expired."),
  b: z.string().nullable(),
  isSame: z
    .boolean()
    .nullable()
    .describe("True when the screenshots are identical pixel by pixel; null when unknown."),
  differentPixels: Count.nullable(),
  totalPixels: Count.nullable(),
});

/** Ids, times, cache facts and signed links are left out: they always differ. */
export const CompareAnswer = answerOf(
  z.strictObject({
    a: RequestEntry,
    b: RequestEntry,
    isSame: z.boolean().describe("True when body, outcome, price and response are identical."),
    request: z.array(JsonDifference).describe("Differences between the request bodies."),
    outcome: z.array(JsonDifference).describe("Status, code, price."),
    markdown: TextDifference.nullable().describe("Null when one of the responses has no Markdown."),
    json: z.array(JsonDifference).describe("Differences between the responses, without the Markdown."),
    metadata: z.array(JsonDifference),
    screenshots: Screenshots.nullable().describe("Null when neither has a screenshot."),
    missing: z.array(z.enum(["a", "b"])).describe("Requests whose response is no longer stored."),
  }),
);

export type CompareQuery = z.output<typeof CompareQuery>;
export type CompareAnswer = z.output<typeof CompareAnswer>;
export type TextDifference = z.output<typeof TextDifference>;
export type JsonDifference = z.output<typeof JsonDifference>;

export const compare = operatorOperation({
  line: "GET /admin/api/compare",
  summary: "Compare two requests and their responses",
  query: CompareQuery,
  answer: defineShape("Compare", CompareAnswer, {
    success,
    data: {
      a: requestExample,
      b: { ...requestExample, id: REPLAY_ID, replayOf: requestExample.id },
      isSame: false,
      request: [],
      outcome: [],
      markdown: {
        hunks: [
          {
            aLine: 1,
            bLine: 1,
            lines: [
              { kind: "removed", text: "# Old" },
              { kind: "added", text: "# New" },
            ],
          },
        ],
        isCut: false,
      },
      json: [{ path: "$.links[0]", a: "https://example.com/a" }],
      metadata: [],
      screenshots: null,
      missing: [],
    },
  }),
  errors: [400, 404],
});
