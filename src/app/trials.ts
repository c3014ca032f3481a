import type { Trial } from "../admin/settings.ts";
import { checkBrowser } from "../cli/doctor/browser.ts";
import { checkProxies } from "../cli/doctor/connections.ts";
import type { Finding } from "../cli/doctor/finding.ts";
import { doctorSettings } from "../cli/doctor/settings.ts";
import type { Config } from "../config/config.ts";
import { openLanguageModels } from "../platform/models/language-models.ts";
import { post } from "../platform/net/post.ts";
import type { Network } from "./network.ts";

/** Tries the parts out that settings lead to. */
export function openTrials(config: Config, { guard }: Pick<Network, "guard">) {
  return {
    model: (signal: AbortSignal) => tryModel(config, signal),
    proxies: async () => trialOf(await checkProxies(config.network.proxies)),
    browser: async (signal: AbortSignal) => trialOf(await checkBrowser(doctorSettings(config), signal)),
    collector: (signal: AbortSignal) => tryCollector(config, guard, signal),
  };
}

function trialOf({ status, detail, remedy }: Finding): Trial {
  return { ok: status === "found", detail, remedy };
}

async function tryModel({ languageModel }: Config, signal: AbortSignal): Promise<Trial> {
  const { isConfigured, maxOutputTokens, ...options } = languageModel;
  if (!isConfigured) {
    const remedy = "Set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL to an endpoint such as Ollama's.";
    return { ok: false, detail: "No language model is set.", remedy };
  }
  const question = {
    system: "This is a trial.",
    user: 'Answer with {"ok": true}.',
    schema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
    maxOutputTokens,
    check: () => ({ answer: true }),
  };
  const { model } = await openLanguageModels(options).ask(question, signal, "");
  return { ok: true, detail: `${model} answers.` };
}

/** Sends no line, which a collector takes like any other delivery. */
async function tryCollector({ audit }: Config, guard: Network["guard"], signal: AbortSignal): Promise<Trial> {
  if (!audit.collector) {
    return { ok: false, detail: "No collector is set.", remedy: "Set AUDIT_COLLECTOR_URL." };
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
    detail: `It answered ${status}.`,
    remedy: ok ? undefined : "Check AUDIT_COLLECTOR_URL and AUDIT_COLLECTOR_KEY.",
  };
}
