import { z } from "zod";

import { answerOf, Count, Id, Time } from "./fields.ts";

const Tool = z.strictObject({
  id: Id,
  name: z.string(),
  description: z.string(),
  creditsCost: z.number().min(0),
  perRecord: z.boolean(),
  readOnly: z.boolean(),
  options: z.record(z.string(), z.json()).describe("JSON Schema of an object."),
  example: z.record(z.string(), z.json()).nullable().describe("Options of a call that works."),
});

const Terms = z.strictObject({
  text: z.string(),
  version: z.string(),
  url: z.string().nullable(),
  digest: z.string(),
  acceptedBy: z.array(z.strictObject({ teamId: Id, acceptedAt: Time })).describe("Of these very terms."),
});

/** `GET /admin/api/tools`: providers and what can be called of them. */
export const ToolsAnswer = answerOf(
  z.strictObject({
    isOnByDefault: z.boolean().describe("Whether teams may use them that no flag says anything about."),
    file: z.string().nullable().describe("PROVIDERS_FILE; null when there is none."),
    providers: z.array(
      z.strictObject({
        id: Id,
        name: z.string(),
        description: z.string(),
        cohorts: z.array(z.string()),
        domains: z.array(z.string()),
        attribution: z.string().nullable(),
        ratePerSecond: z.number().nullable(),
        terms: Terms.nullable(),
        tools: z.array(Tool),
      }),
    ),
  }),
);

/** `POST /admin/api/tools/terms`: the operator accepts for a team. */
export const OperatorTermsRequest = z.strictObject({
  teamId: Id.max(100),
  provider: Id.max(200),
  version: z.string().max(200),
  digest: z.string().max(200),
});

/** `POST /admin/api/tools/try`: one call in the name of a team, which pays for it. */
export const TryToolRequest = z.strictObject({
  teamId: Id.max(100),
  provider: Id.max(200),
  tool: Id.max(200),
  options: z.record(z.string(), z.json()).default({}),
});

export const TryToolAnswer = answerOf(
  z.strictObject({
    result: z.json().describe("As `POST /v2/scrape` answers one call."),
    creditsUsed: Count,
    durationMs: Count,
  }),
);

/** `POST /admin/api/tools/check`: an entry as PROVIDERS_FILE takes it, looked at and not kept. */
export const CheckProviderRequest = z.strictObject({ provider: z.record(z.string(), z.json()) });
export const CheckProviderAnswer = answerOf(
  z.strictObject({ ok: z.boolean(), problems: z.array(z.string()), tools: z.array(z.string()) }),
);

export type ToolsAnswer = z.output<typeof ToolsAnswer>;
export type TryToolAnswer = z.output<typeof TryToolAnswer>;
export type CheckProviderAnswer = z.output<typeof CheckProviderAnswer>;
