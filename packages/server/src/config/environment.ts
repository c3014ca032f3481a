import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

import type { GivenSettings } from "./described-settings.ts";
import type { Environment } from "./part.ts";
import { refuseUnknownSettings } from "./unknown-settings.ts";

const PROXY_VARIABLES = [
  "http_proxy",
  "HTTP_PROXY",
  "https_proxy",
  "HTTPS_PROXY",
  "all_proxy",
  "ALL_PROXY",
] as const;

/**
 * Reads the environment of this process, which wins over the `.env` file of the working folder. No other code
 * reads either.
 * @throws Error when the file cannot be read, or contains unknown settings.
 */
export function readEnvironment(file = ".env"): GivenSettings {
  const given = readSettingsFile(file);
  refuseUnknownSettings(Object.keys(given), file);
  const fromFile = new Set(Object.keys(given).filter((name) => !Object.hasOwn(process.env, name)));
  return { environment: { ...given, ...process.env }, fromFile };
}

function readSettingsFile(file: string): Environment {
  if (!existsSync(file)) return {};
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The settings in ${file} cannot be read: ${reason}`, { cause });
  }
}

/**
 * Removes the variables by which libraries send requests through a proxy of their own choice, past the guard.
 * Only PROXIES and OUTBOUND_PROXY configure proxies.
 */
export function ignoreProxyVariables(): void {
  for (const name of PROXY_VARIABLES) delete process.env[name];
}
