import type { Trial } from "../admin/settings.ts";
import { checkBrowser } from "../doctor/browser.ts";
import { checkProxies } from "../doctor/connections.ts";
import type { Finding } from "../doctor/finding.ts";
import { checkLanguageModel } from "../doctor/language-model.ts";
import { doctorSettings } from "../doctor/settings.ts";
import type { Config } from "../config/config.ts";
import { post } from "../platform/net/post.ts";
import type { Network } from "./network.ts";

/** Tries the parts out that settings lead to. */
export function openSettingsTests(config: Config, { guard }: Pick<Network, "guard">) {
  return {
    model: async (signal: AbortSignal) => trialOf(await checkLanguageModel(doctorSettings(config), signal)),
    proxies: async () => trialOf(await checkProxies(config.network.proxies)),
    browser: async (signal: AbortSignal) => trialOf(await checkBrowser(doctorSettings(config), signal)),
    collector: (signal: AbortSignal) => tryCollector(config, guard, signal),
  };
}

function trialOf({ status, detail, remedy }: Finding): Trial {
  return { ok: status === "found", detail, remedy };
}

/** Sends no line, which a collector takes like any other delivery. */
async function tryCollector({ audit }: Config, guard: Network["guard"], signal: AbortSignal): Promise<Trial> {
  if (!audit.collector) {
    return { ok: false, detail: "No collector is configured.", remedy: "Set AUDIT_COLLECTOR_URL." };
  }
  const { url, apiKey } = audit.collector;
  const headers = {
    "content-type": "application/x-ndjson",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const status = await post({ url: new URL(url), headers, body: "" }, guard, signal);
  const ok = status >= 200 && status < 300;
  return {
    ok,
    detail: `The collector answered with status ${status}.`,
    remedy: ok ? undefined : "Check AUDIT_COLLECTOR_URL and AUDIT_COLLECTOR_KEY.",
  };
}
