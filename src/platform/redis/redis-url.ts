import { readFileSync } from "node:fs";

/** Where a Redis or Valkey server is, and how it is reached. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  /** Undefined: without TLS. Otherwise the server's certificate is verified. */
  readonly tls: { readonly ca: string | undefined } | undefined;
}

const DEFAULT_PORT = 6379;
const EXAMPLE = "rediss://user:password@host:6379/0";
const MAX_DATABASE = 1_000_000;

/**
 * Reads `redis://user:password@host:port/database`; `rediss:` for TLS, with `?sslrootcert=` for your own authority.
 * @throws Error that does not contain the URL, which may hold a password.
 */
export function parseRedisUrl(url: string): RedisAddress {
  const parsed = parse(url);
  const parameters = parsed.searchParams;
  const unknown = [...parameters.keys()].find((name) => name !== "sslrootcert");
  if (unknown !== undefined)
    throw new Error(`A Redis URL may have the parameter sslrootcert, not ${unknown}`);
  if (parsed.hostname === "") throw new Error(`A Redis URL needs a host, such as "${EXAMPLE}"`);
  const isEncrypted = parsed.protocol === "rediss:";
  const path = parameters.get("sslrootcert");
  if (path !== null && !isEncrypted) throw new Error("sslrootcert is for a URL that begins with rediss://");
  return {
    host: decoded(parsed.hostname).replace(/^\[|\]$/g, ""),
    port: parsed.port === "" ? DEFAULT_PORT : Number(parsed.port),
    user: parsed.username === "" ? undefined : decoded(parsed.username),
    password: parsed.password === "" ? undefined : decoded(parsed.password),
    database: databaseOf(parsed.pathname.slice(1)),
    tls: isEncrypted ? { ca: path === null ? undefined : readCertificate(path) } : undefined,
  };
}

function parse(url: string): URL {
  const isRedis = /^rediss?:\/\//i.test(url);
  const parsed = isRedis && URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed) throw new Error(`must be a URL that begins with redis:// or rediss://, such as "${EXAMPLE}"`);
  return parsed;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("A Redis URL must have its special characters as %XX, % itself as %25");
  }
}

function databaseOf(text: string): number {
  const number = /^\d{0,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= MAX_DATABASE) return number;
  throw new Error(`The database of a Redis URL must be a number, as in "${EXAMPLE}"`);
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`sslrootcert: the file ${path} could not be read`, { cause });
  }
}
