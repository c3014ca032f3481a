import type { Config } from "../../config/config.ts";
import type { StoredSettings } from "../../storage/settings/stored-settings.ts";

/** Settings of the start with those that the dashboard has made, as far as they fit. */
export function configWithStored(base: Config, values: StoredSettings["values"]): Config {
  return base.changing.configOver(base, fittingOf(base, values).fitting);
}

/** A newer or older program may have stored what this one does not take. */
export function fittingOf(base: Config, values: StoredSettings["values"]) {
  const fits = ([name, value]: readonly [string, string]) => {
    if (!base.changing.writable.has(name)) return false;
    try {
      return base.changing.configOver(base, { [name]: value }) !== undefined;
    } catch {
      return false;
    }
  };
  const entries = Object.entries(values);
  const invalid = entries.filter((entry) => !fits(entry)).map(([name]) => name);
  return { fitting: Object.fromEntries(entries.filter(fits)), invalid };
}
