import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { operatorOperation } from "../api/operator-operation.ts";
import { answerOf, Count, Version } from "../api/operator-fields.ts";

const Setting = z.strictObject({
  name: z.string().describe("Such as `PORT`."),
  part: z.string().describe("Title of the section."),
  value: z.string().nullable().describe("Configured value; null when not set, and for secrets."),
  isSet: z.boolean(),
  isSecret: z.boolean().describe("True when the value is never shown."),
  origin: z
    .enum(["default", "file", "environment", "dashboard"])
    .describe("Source of the value; file: `.env`."),
  usual: z.string().nullable().describe("Default, described in words when it is not a plain value."),
  help: z.string(),
  isWritable: z.boolean().describe("Whether `PATCH /admin/api/settings` can change it."),
  whyFixed: z
    .string()
    .nullable()
    .describe("Why it cannot be changed here although settings of its kind can; null otherwise."),
});

/** Those that cannot be changed here are read at the start: a change of them needs a restart. */
export const SettingsAnswer = answerOf(
  z.strictObject({
    version: Version,
    canChange: z.boolean().describe("False when `SETTINGS_FROM_DASHBOARD` is off."),
    settings: z.array(Setting),
  }),
);

const MAX_VALUE_LENGTH = 100_000;
const MAX_CHANGES = 100;

export const SettingsPatch = z.strictObject({
  changes: boundedRecord(z.string().max(MAX_VALUE_LENGTH).nullable(), MAX_CHANGES)
    .refine((changes) => Object.keys(changes).length > 0, { error: "Name at least one setting." })
    .describe(
      "New values by name; null or an empty text takes a setting back. A key is dropped when the URL that it is sent to changes and the key is not given again.",
    ),
});

/** What `POST /admin/api/test/{part}` can try. */
export const TestablePart = z.enum(["model", "proxies", "collector", "browser"]);

export const TestAnswer = answerOf(
  z.strictObject({
    part: TestablePart,
    ok: z.boolean(),
    detail: z.string().describe("What was found, or why the test failed. Contains no secrets."),
    remedy: z.string().nullable(),
    durationMs: Count,
  }),
);

export type SettingsAnswer = z.output<typeof SettingsAnswer>;
export type TestAnswer = z.output<typeof TestAnswer>;

const answer = defineShape("Settings", SettingsAnswer, {
  success,
  data: {
    version: "3",
    canChange: true,
    settings: [
      {
        name: "RATE_LIMIT",
        part: "Accounts",
        value: "600",
        isSet: true,
        isSecret: false,
        origin: "dashboard",
        usual: "500 in keyed mode, else `off`",
        help: "maximum scrapes per team and minute, or `off`",
        isWritable: true,
        whyFixed: null,
      },
    ],
  },
});

export const readSettings = operatorOperation({
  line: "GET /admin/api/settings",
  summary: "List every setting with its value, source and description, without secrets",
  answer,
});

export const changeSettings = operatorOperation({
  line: "PATCH /admin/api/settings",
  summary: "Change settings for all processes, once what they lead to has been tried",
  body: defineShape("SettingsPatch", SettingsPatch, { changes: { RATE_LIMIT: "600" } }),
  answer,
  errors: [412],
});

export const testPart = operatorOperation({
  line: "POST /admin/api/test/{part}",
  summary: "Test the connection that a setting configures: model, proxies, collector or browser",
  params: { part: { type: "string", enum: TestablePart.options } },
  answer: defineShape("Tested", TestAnswer, {
    success,
    data: { part: "model", ok: true, detail: "The connection works.", remedy: null, durationMs: 640 },
  }),
  errors: [400],
});
