import { isDeepStrictEqual } from "node:util";

import type { Config } from "../config/config.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import { SettingStore, type StoredSettings } from "../storage/settings/stored-settings.ts";
import { type Context, reporter } from "../config/context.ts";
import type { Storage } from "../storage/open.ts";
import { fittingOf } from "./data/stored-config.ts";

/** Interval of checking whether another process has changed settings. */
const LOOK_INTERVAL_MS = 2000;

/** The settings of the start with changes from the dashboard, which take effect while the service runs. */
export interface LiveSettings {
  /** Read changeable members each time, because their values change. */
  readonly config: Config;
  readonly store: SettingStore;
  /** The stored settings that are in effect in this process. */
  stored(): Pick<StoredSettings, "version" | "values">;
  /** Loads changes that any process has made. */
  refresh(): Promise<void>;
}

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

/** Unchanged parts keep their identity, so that nothing derived from them is rebuilt. */
function keepEqualParts(before: Config, after: Config): Config {
  const known = new Map<string, unknown>(Object.entries(before));
  const kept = Object.entries(after).map(([name, part]: [string, unknown]) => {
    const old = known.get(name);
    return [name, isDeepStrictEqual(old, part) ? old : part] as const;
  });
  return Object.fromEntries(kept) as unknown as Config;
}

/** Only these members follow the dashboard. All others keep their value from the start. */
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

/** A part whose named members are read anew on each access. */
function changing<Part extends object>(part: Part, now: () => Part, names: readonly (keyof Part)[]): Part {
  const getters = names.map((name) => [name, { get: () => now()[name], enumerable: true }] as const);
  return Object.defineProperties({ ...part }, Object.fromEntries(getters));
}
