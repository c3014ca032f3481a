import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Version } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";
import { versionIn } from "../api/version-in.ts";

const Setting = z.strictObject({
  name: z.string(),
  part: z.string(),
  value: z.string().nullable(),
  isSet: z.boolean(),
  isSecret: z.boolean(),
  origin: z.enum(["default", "file", "environment", "dashboard"]),
  usual: z.string().nullable(),
  allowed: z.string().nullable(),
  help: z.string(),
  isWritable: z.boolean(),
  whyFixed: z.string().nullable(),
});

/** Settings that cannot be changed here are read at the start, so changing them needs a restart. */
export const SettingsAnswer = answerOf(
  z.strictObject({
    version: Version,
    canChange: z.boolean(),
    settings: z.array(Setting),
  }),
);

const MAX_VALUE_LENGTH = 100_000;
const MAX_CHANGES = 100;

const SettingsPatch = () =>
  z.strictObject({
    changes: boundedRecord(z.string().max(MAX_VALUE_LENGTH).nullable(), MAX_CHANGES).refine(
      (changes) => Object.keys(changes).length > 0,
      { error: "Name at least one setting." },
    ),
  });

/** Parts that `POST /admin/api/test/{part}` can test. */
const TestablePart = z.enum(["model", "proxies", "collector", "browser"]);

export const TestAnswer = () =>
  answerOf(
    z.strictObject({
      part: TestablePart,
      ok: z.boolean(),
      detail: z.string(),
      remedy: z.string().nullable(),
      durationMs: Count,
    }),
  );

export type SettingsAnswer = z.output<typeof SettingsAnswer>;
export type TestAnswer = z.output<ReturnType<typeof TestAnswer>>;

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
        allowed: "1 to 1000000000, off",
        help: "maximum scrapes per team and minute, or `off`",
        isWritable: true,
        whyFixed: null,
      },
    ],
  },
});

export interface Trial {
  readonly ok: boolean;
  /** The finding, or the reason why the test failed. It contains no secrets. */
  readonly detail: string;
  readonly remedy?: string | undefined;
}

export interface SettingOrder {
  /** Null resets a setting. */
  readonly changes: Readonly<Record<string, string | null>>;
  /** Version that the change is based on; undefined: any. */
  readonly expected: string | undefined;
  readonly signal: AbortSignal;
}

export interface SettingServices {
  readonly settings: () => SettingsAnswer["data"];
  /** @throws ServiceError BAD_REQUEST with the reason when a value is invalid or does not work. */
  readonly changeSettings: (order: SettingOrder) => Promise<void>;
  /** Tests by part. */
  readonly trials: { readonly [Part in TestAnswer["data"]["part"]]: (signal: AbortSignal) => Promise<Trial> };
}

const TRIAL_MS = 30_000;

const settings = defineOperation({
  ...forOperator,
  line: "GET /admin/api/settings",
  answer,
  handle: (_call, services: SettingServices) => ({ success: true, data: services.settings() }),
});

const change = defineOperation({
  ...forOperator,
  line: "PATCH /admin/api/settings",
  audit: "setting.changed",
  body: defineShape("SettingsPatch", SettingsPatch, { changes: { RATE_LIMIT: "600" } }),
  answer,
  errors: [412],
  async handle({ body, headers, signal }, services: SettingServices) {
    const given = Object.entries(body.changes);
    const changes = Object.fromEntries(given.map(([name, value]) => [name, value?.trim() || null]));
    const expected = versionIn(headers["if-match"]);
    await services.changeSettings({ changes, expected, signal });
    return { success: true, data: services.settings() };
  },
});

const test = defineOperation({
  ...forOperator,
  line: "POST /admin/api/test/{part}",
  audit: "setting.tested",
  answer: defineShape("Tested", TestAnswer, {
    success,
    data: { part: "model", ok: true, detail: "The connection works.", remedy: null, durationMs: 640 },
  }),
  errors: [400],
  async handle({ params }, { trials }: SettingServices) {
    const part = TestablePart.parse(params.part);
    const startedAtMs = performance.now();
    const { ok, detail, remedy = null } = await attempt(trials[part]);
    const durationMs = Math.round(performance.now() - startedAtMs);
    return { success: true, data: { part, ok, detail, remedy, durationMs } };
  },
});

export const settingOperations = [settings, change, test];

/** A failing part is the result of the test, not a failure of the request. */
async function attempt(trial: (signal: AbortSignal) => Promise<Trial>): Promise<Trial> {
  const signal = AbortSignal.timeout(TRIAL_MS);
  try {
    return await trial(signal);
  } catch (failure) {
    if (signal.aborted) return { ok: false, detail: `No answer within ${TRIAL_MS / 1000} seconds.` };
    return { ok: false, detail: failure instanceof Error ? failure.message : String(failure) };
  }
}
