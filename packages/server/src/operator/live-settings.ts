import { isDeepStrictEqual } from "node:util";

import type { Config } from "../config/config.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import { SettingStore, type StoredSettings } from "../storage/settings/stored-settings.ts";
import { type Context, reporter } from "../config/context.ts";
import type { Storage } from "../storage/open.ts";
import { fittingOf } from "./data/stored-config.ts";

/** How often is looked whether another process has changed something. */
const LOOK_INTERVAL_MS = 2000;

/** Settings of the start with those that the dashboard has made, which hold from one moment to the next. */
export interface LiveSettings {
  /** What the dashboard may change is to be read again each time. */
  readonly config: Config;
  readonly store: SettingStore;
  /** As they are in force here. */
  stored(): Pick<StoredSettings, "version" | "values">;
  /** Takes over what any process has changed. */
  refresh(): Promise<void>;
}

/** What the features work with: settings that change. */
export interface SettingsContext {
  readonly config: Config;
  readonly settings: LiveSettings;
}

export async function openLiveSettings(context: Context & Storage): Promise<SettingsContext> {
  const { config: base, log, resources, database, secrets } = context;
  const store = new SettingStore(database, secrets);
  let stored: StoredSettings = { version: 0, values: {}, unreadable: [] };
  let current = base;
  const warn = (names: readonly string[], why: string) => {
    if (names.length > 0) log.warn({ settings: names }, `Settings of the dashboard are left out: ${why}`);
  };

  async function refresh(): Promise<void> {
    if ((await store.version()) === stored.version) return;
    const read = await store.read();
    const { fitting, invalid } = fittingOf(base, read.values);
    warn(read.unreadable, "SECRET_KEY is not the one that they were sealed with. Set them again.");
    warn(invalid, "they are not valid. Set them again.");
    stored = { ...read, values: fitting };
    current = keepEqualParts(current, base.changing.configOver(base, fitting));
  }

  await refresh();
  const onError = reporter(log, "The settings of the dashboard could not be read.");
  resources.add(repeat(LOOK_INTERVAL_MS, refresh, onError), (looking) => looking.stop());
  const config = liveConfig(base, () => current);
  return { config, settings: { config, store, stored: () => stored, refresh } };
}

/** What has not changed stays the same object: nothing that is made out of it is made again. */
function keepEqualParts(before: Config, after: Config): Config {
  const known = new Map<string, unknown>(Object.entries(before));
  const kept = Object.entries(after).map(([name, part]: [string, unknown]) => {
    const old = known.get(name);
    return [name, isDeepStrictEqual(old, part) ? old : part] as const;
  });
  return Object.fromEntries(kept) as unknown as Config;
}

/** Nothing but these follows the dashboard; all else is as it was at the start. */
function liveConfig(base: Config, now: () => Config): Config {
  const { network, browser, scraping, stores, jobs, accounts } = base;
  const limits = changing(accounts.teamLimits, () => now().accounts.teamLimits, [
    "concurrency",
    "requestsPerMinute",
  ]);
  return {
    ...base,
    get languageModel() {
      return now().languageModel;
    },
    get described() {
      return now().described;
    },
    network: changing(network, () => now().network, ["proxies"]),
    browser: changing(browser, () => now().browser, ["adLists"]),
    scraping: changing(scraping, () => now().scraping, ["blockedDomains"]),
    stores: changing(stores, () => now().stores, ["cacheMaxBytes"]),
    jobs: changing(jobs, () => now().jobs, ["retentionMs"]),
    accounts: { ...accounts, teamLimits: limits },
  };
}

/** A part of which some members are read again each time. */
function changing<Part extends object>(part: Part, now: () => Part, names: readonly (keyof Part)[]): Part {
  const getters = names.map((name) => [name, { get: () => now()[name], enumerable: true }] as const);
  return Object.defineProperties({ ...part }, Object.fromEntries(getters));
}
