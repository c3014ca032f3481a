import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

import type { Environment } from "./part.ts";

/** The environment of this process over the `.env` file of the working folder. The only reader of either. */
export function readEnvironment(file = ".env"): Environment {
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  return { ...fromFile, ...process.env };
}

/**
 * Takes away the variables by which libraries send requests through a proxy of their own choice, past the guard.
 * Proxies are configured by PROXIES alone.
 */
export function ignoreProxyVariables(): void {
  for (const name of ["http_proxy", "https_proxy", "all_proxy"]) {
    delete process.env[name];
    delete process.env[name.toUpperCase()];
  }
}
