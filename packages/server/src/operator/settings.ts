import {
  changeSettings,
  readSettings,
  type SettingsAnswer,
  TestablePart,
  type TestAnswer,
  testPart,
} from "./settings-shapes.ts";
import { defineOperation } from "../api/operation.ts";
import { versionIn } from "./version.ts";

export interface Trial {
  readonly ok: boolean;
  /** What was found, or why the test failed. Contains no secrets. */
  readonly detail: string;
  readonly remedy?: string | undefined;
}

export interface SettingOrder {
  /** Null takes a setting back. */
  readonly changes: Readonly<Record<string, string | null>>;
  /** Version that was looked at; undefined: whichever there is. */
  readonly expected: string | undefined;
  readonly signal: AbortSignal;
}

export interface SettingServices {
  readonly settings: () => SettingsAnswer["data"];
  /** @throws ServiceError BAD_REQUEST with the reason when something is not valid or does not work. */
  readonly changeSettings: (order: SettingOrder) => Promise<void>;
  /** Tries parts out. */
  readonly trials: { readonly [Part in TestAnswer["data"]["part"]]: (signal: AbortSignal) => Promise<Trial> };
}

const TRIAL_MS = 30_000;

const settings = defineOperation({
  ...readSettings,
  handle: (_call, services: SettingServices) => ({ success: true, data: services.settings() }),
});

const change = defineOperation({
  ...changeSettings,
  async handle({ body, headers, signal }, services: SettingServices) {
    const given = Object.entries(body.changes);
    const changes = Object.fromEntries(given.map(([name, value]) => [name, value?.trim() || null]));
    const expected = versionIn(headers["if-match"]);
    await services.changeSettings({ changes, expected, signal });
    return { success: true, data: services.settings() };
  },
});

const test = defineOperation({
  ...testPart,
  async handle({ params }, { trials }: SettingServices) {
    const part = TestablePart.parse(params.part);
    const startedAtMs = performance.now();
    const { ok, detail, remedy = null } = await attempt(trials[part]);
    const durationMs = Math.round(performance.now() - startedAtMs);
    return { success: true, data: { part, ok, detail, remedy, durationMs } };
  },
});

/** What the service was started with, and whether the parts behind it work. */
export const settingOperations = [settings, change, test];

/** A part that fails is what the operator wants to know, and no failure of the request. */
async function attempt(trial: (signal: AbortSignal) => Promise<Trial>): Promise<Trial> {
  const signal = AbortSignal.timeout(TRIAL_MS);
  try {
    return await trial(signal);
  } catch (failure) {
    if (signal.aborted) return { ok: false, detail: `No answer within ${TRIAL_MS / 1000} seconds.` };
    return { ok: false, detail: failure instanceof Error ? failure.message : String(failure) };
  }
}
