import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

import type { Environment } from "./part.ts";

const PROXY_VARIABLES = [
  "http_proxy",
  "HTTP_PROXY",
  "https_proxy",
  "HTTPS_PROXY",
  "all_proxy",
  "ALL_PROXY",
] as const;

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
  for (const name of PROXY_VARIABLES) delete process.env[name];
}
