import type { FastifyInstance } from "fastify";

import { type SettingsAnswer, TestablePart, type TestAnswer } from "../contract/operator/settings.ts";

export interface Trial {
  readonly ok: boolean;
  /** What was found, or what stands in the way. Holds no secret. */
  readonly detail: string;
  readonly remedy?: string | undefined;
}

export interface SettingRoutes {
  readonly settings: () => SettingsAnswer["data"]["settings"];
  /** Tries parts out. */
  readonly trials: { readonly [Part in TestAnswer["data"]["part"]]: (signal: AbortSignal) => Promise<Trial> };
}

const TRIAL_MS = 30_000;

/** What the service was started with, and whether the parts behind it work. */
export function addSettingRoutes(app: FastifyInstance, { settings, trials }: SettingRoutes): void {
  app.get("/admin/api/settings", async (): Promise<SettingsAnswer> => {
    return { success: true, data: { settings: settings() } };
  });

  app.post<{ Params: { part: string } }>("/admin/api/test/:part", async ({ params }): Promise<TestAnswer> => {
    const part = TestablePart.parse(params.part);
    const startedAtMs = performance.now();
    const { ok, detail, remedy = null } = await attempt(trials[part]);
    const durationMs = Math.round(performance.now() - startedAtMs);
    return { success: true, data: { part, ok, detail, remedy, durationMs } };
  });
}

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
