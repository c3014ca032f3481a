import type { AuditLog } from "../accounts/audit.ts";
import type { SettingOrder, SettingsAnswer, Trial } from "./settings.ts";
import type { Config } from "../config/config.ts";
import { ForbiddenError, ServiceError } from "../api/errors.ts";
import { checkBrowser } from "./health/browser.ts";
import { doctorSettings, type Finding } from "./health/check.ts";
import { checkLanguageModel } from "./health/language-model.ts";
import { checkProxies } from "./health/network.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { post } from "../net/post.ts";
import type { SettingChanges } from "../storage/settings/stored-settings.ts";
import type { LiveSettings } from "./live-settings.ts";
import type { Net } from "../net/open.ts";

const OFF = "SETTINGS_FROM_DASHBOARD is off: settings are changed in the environment or in .env.";

export function listSettings({ config, stored }: LiveSettings): SettingsAnswer["data"] {
  const settings = config.described.map((setting) => ({
    ...setting,
    isWritable: whyFixed(setting.name, config) === undefined,
    whyFixed: config.changing.writable.has(setting.name) ? (whyFixed(setting.name, config) ?? null) : null,
  }));
  return { version: String(stored().version), canChange: config.server.changesSettings, settings };
}

/** The reason why the dashboard may not change the setting; undefined when it may. */
function whyFixed(name: string, config: Config): string | undefined {
  const { writable, keysOfAddresses, isGiven } = config.changing;
  if (!writable.has(name)) return "The dashboard cannot change this setting.";
  if (!config.server.changesSettings) return OFF;
  if (isGiven(config, name)) return "The environment or .env sets it: change it there.";
  const key = keysOfAddresses.get(name)?.find((one) => isGiven(config, one));
  return key && `The environment or .env sets ${key}, which is sent to this address: change both there.`;
}

interface ChangeNeeds {
  readonly live: LiveSettings;
  readonly audit: Pick<AuditLog, "write">;
  /** Tests access to a filter list. @throws Error with the reason. */
  readonly tryAdList: (url: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Changes settings after testing the parts that they configure.
 * @throws ForbiddenError when the dashboard may not change settings; ServiceError BAD_REQUEST for a value
 * that is invalid or does not work; ChangedMeanwhileError when another operator has changed settings
 * meanwhile.
 */
export async function changeSettings(order: SettingOrder, needs: ChangeNeeds): Promise<void> {
  const { live, audit } = needs;
  await live.refresh();
  const { config, store, stored } = live;
  if (!config.server.changesSettings) throw new ForbiddenError(OFF);
  const { version, values } = stored();
  for (const [name, value] of Object.entries(order.changes)) refuseFixed(name, value, config);
  const changes = withDroppedKeys(order.changes, values, config);
  const next = nextConfig(config, { ...values, ...changes });
  await tryOut(config, next, needs, order.signal);
  await store.change(changes, order.expected === undefined ? version : Number(order.expected));
  for (const [name, value] of Object.entries(changes)) {
    const before = told(name, ownProperty(values, name), config);
    const after = told(name, value ?? undefined, config);
    await audit.write({ kind: "setting.changed", details: { setting: name, before, after } });
  }
  await live.refresh();
}

function refuseFixed(name: string, value: string | null, config: Config): void {
  const why = whyFixed(name, config);
  if (why !== undefined) throw refusal(`${name}: ${why}`);
  if (name === "PROXIES" && value !== null && !/^\s*[[{]/.test(value))
    throw refusal(
      "PROXIES: a path can only be set in the environment or in .env. Give the JSON list itself.",
    );
}

/**
 * Removes a key when its address changes, unless the change includes the key, so that the new address never
 * gets the old key.
 */
function withDroppedKeys(
  changes: SettingChanges,
  values: Readonly<Record<string, string>>,
  { changing }: Config,
): SettingChanges {
  const dropped = Object.entries(changes).flatMap(([name, value]) => {
    if (ownProperty(values, name) === (value ?? undefined)) return [];
    const keys = changing.keysOfAddresses.get(name) ?? [];
    return keys.filter((key) => Object.hasOwn(values, key) && !Object.hasOwn(changes, key));
  });
  return { ...changes, ...Object.fromEntries(dropped.map((key) => [key, null])) };
}

function nextConfig(config: Config, values: SettingChanges): Config {
  const set = Object.entries(values).flatMap(([name, value]) =>
    value === null || value.trim() === "" ? [] : [[name, value] as const],
  );
  try {
    return config.changing.configOver(config, Object.fromEntries(set));
  } catch (failure) {
    throw refusal(failure instanceof Error ? failure.message : String(failure));
  }
}

/** Tests the new settings. Settings that failed before do not prevent other changes. */
async function tryOut(
  before: Config,
  after: Config,
  { tryAdList }: ChangeNeeds,
  signal: AbortSignal,
): Promise<void> {
  const models = added(before.languageModel.models, after.languageModel.models);
  if (models.length > 0) requireFound("The language model", await checkLanguageModel({ models }, signal));
  const proxies = added(before.network.proxies, after.network.proxies);
  if (proxies.length > 0) requireFound("A proxy", await checkProxies(proxies));
  for (const url of added(before.browser.adLists, after.browser.adLists)) {
    await tryAdList(url, signal).catch((failure: unknown) => {
      signal.throwIfAborted();
      throw refusal(`AD_LISTS: ${failure instanceof Error ? failure.message : String(failure)}`);
    });
  }
}

function added<Entry>(before: readonly Entry[], after: readonly Entry[]): readonly Entry[] {
  const known = new Set(before.map((entry) => JSON.stringify(entry)));
  return after.filter((entry) => !known.has(JSON.stringify(entry)));
}

function requireFound(what: string, { status, detail, remedy }: Finding): void {
  if (status === "found") return;
  throw refusal(`Nothing was changed. ${what} does not work: ${detail}.${remedy ? ` ${remedy}` : ""}`);
}

/** The value for the audit log. For secrets the log only tells whether one is set. */
function told(name: string, value: string | undefined, { changing }: Config): string | null {
  if (value === undefined) return null;
  return changing.shownValue(name, value) ?? "secret";
}

function refusal(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}

/** Tests the parts that settings configure. */
export function openSettingsTests(config: Config, { guard }: Pick<Net, "guard">) {
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

/** Posts an empty body, which collectors accept like any other delivery. */
async function tryCollector({ audit }: Config, guard: Net["guard"], signal: AbortSignal): Promise<Trial> {
  if (!audit.collector) {
    return { ok: false, detail: "No collector is configured.", remedy: "Set AUDIT_COLLECTOR_URL." };
  }
  const { url, apiKey } = audit.collector;
  const headers = {
    "content-type": "application/x-ndjson",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const { status } = await post({ url: new URL(url), headers, body: "" }, guard, signal);
  const ok = status >= 200 && status < 300;
  return {
    ok,
    detail: `The collector answered with status ${status}.`,
    remedy: ok ? undefined : "Check AUDIT_COLLECTOR_URL and AUDIT_COLLECTOR_KEY.",
  };
}
