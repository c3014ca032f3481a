import type { Config } from "../../config/config.ts";
import type { StoredSettings } from "../../storage/settings/stored-settings.ts";

/** The settings of the start with stored changes from the dashboard, as far as they are valid. */
export function configWithStored(base: Config, values: StoredSettings["values"]): Config {
  return base.changing.configOver(base, fittingOf(base, values).fitting);
}

/** Another version of the program may have stored settings that this one rejects. */
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
