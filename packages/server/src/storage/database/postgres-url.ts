import { readFileSync } from "node:fs";

export interface PostgresAddress {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  /** Schema of the tables. */
  readonly schema: string;
  /** Undefined means no TLS. Otherwise the server's certificate is verified. */
  readonly tls: { readonly ca: string | undefined } | undefined;
}

const DEFAULT_PORT = 5432;
const PARAMETERS: ReadonlySet<string> = new Set(["sslmode", "sslrootcert", "schema", "host"]);
/** Postgres folds other names to lower case, and truncates longer ones. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/**
 * Reads `postgres://user:password@host:port/database`, optionally with `?sslmode=`, `?sslrootcert=`,
 * `?schema=`, or `?host=` for the folder of a Unix socket.
 * @throws Error that does not contain the URL, which may hold a password.
 */
export function parsePostgresUrl(url: string): PostgresAddress {
  const parsed = parse(url);
  const parameters = parsed.searchParams;
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) {
    throw new Error(`A Postgres URL may have the parameters ${[...PARAMETERS].join(", ")}, not ${unknown}`);
  }
  const host = parameters.get("host") ?? decodeURIComponent(parsed.hostname);
  if (host === "") throw new Error('A Postgres URL needs a host, such as "postgres://user@host/pergamon"');
  const database = decodeURIComponent(parsed.pathname.slice(1));
  if (database === "" || parsed.username === "") {
    throw new Error('A Postgres URL needs a user and a database: "postgres://user@host/pergamon"');
  }
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port: parsed.port === "" ? DEFAULT_PORT : Number(parsed.port),
    user: decodeURIComponent(parsed.username),
    password: parsed.password === "" ? undefined : decodeURIComponent(parsed.password),
    database,
    schema: schemaOf(parameters.get("schema") ?? "public"),
    tls: tlsOf(host, parameters),
  };
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Error('is not a valid Postgres URL, such as "postgres://user:password@host:5432/pergamon"');
  }
}

function schemaOf(name: string): string {
  if (SCHEMA.test(name)) return name;
  throw new Error("The schema of a Postgres URL must be lower-case letters, digits and _, at most 41");
}

/** By default, connections to other machines are encrypted and verify the server's certificate. */
function tlsOf(host: string, parameters: URLSearchParams): PostgresAddress["tls"] {
  const isLocal = host.startsWith("/") || LOOPBACK.test(host);
  const mode = parameters.get("sslmode") ?? (isLocal ? "disable" : "verify-full");
  if (mode === "disable") return undefined;
  if (mode !== "verify-full" && mode !== "require") {
    throw new Error(
      `sslmode must be verify-full (require means the same) or disable, not ${mode}: a certificate that is not verified protects from nothing`,
    );
  }
  const path = parameters.get("sslrootcert");
  return { ca: path === null ? undefined : readCertificate(path) };
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`sslrootcert: the file ${path} could not be read`, { cause });
  }
}
