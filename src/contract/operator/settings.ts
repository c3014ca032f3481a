import { z } from "zod";

import { success } from "../example-values.ts";
import { defineShape } from "../operation.ts";
import { operatorOperation } from "./operator-operation.ts";
import { answerOf, Count } from "./fields.ts";

const Setting = z.strictObject({
  name: z.string().describe("Such as `PORT`."),
  part: z.string().describe("Title of the section."),
  value: z.string().nullable().describe("Configured value; null when not set, and for secrets."),
  isSet: z.boolean(),
  isSecret: z.boolean().describe("True when the value is never shown."),
  origin: z.enum(["default", "file", "environment"]).describe("Source of the value; file: `.env`."),
  usual: z.string().nullable().describe("Default, described in words when it is not a plain value."),
  help: z.string(),
});

/** `GET /admin/api/settings`. All are read at the start: a change needs a restart. */
export const SettingsAnswer = answerOf(z.strictObject({ settings: z.array(Setting) }));

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

export const readSettings = operatorOperation({
  line: "GET /admin/api/settings",
  summary: "List every setting with its value, source and description, without secrets",
  answer: defineShape("Settings", SettingsAnswer, {
    success,
    data: {
      settings: [
        {
          name: "PORT",
          part: "Server",
          value: "8080",
          isSet: true,
          isSecret: false,
          origin: "environment",
          usual: "3002",
          help: "port to listen on",
        },
      ],
    },
  }),
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
