import { type Logger, pino } from "pino";
import { LineSink, type LineTarget } from "./line-sink.ts";
import { ownProperty } from "../own-property.ts";
import { fstatSync, write, writeSync } from "node:fs";

const DESCRIPTOR = 2;

export type Log = Logger;

interface LogOptions {
  readonly level: string;
  readonly format: "pretty" | "json";
  /** Default: standard error. */
  readonly target?: LineTarget;
}

type Fields = Readonly<Record<string, unknown>>;

/** Field names, in lower case, that never reach a log line, at any depth of an object. */
const SECRETS: ReadonlySet<string> = new Set(["authorization", "cookie", "apikey", "password", "token"]);
/**
 * Addresses in failures of pages and stores, because an address may itself be secret. `file:` addresses are
 * the program's own files.
 */
const ADDRESSES = /\b(?!file:)[a-z][a-z\d+.-]{0,20}:\/\/\S+/gi;
/** Names of hosts may be secret as well: those that a failure is about, and those in the certificate of a host. */
const HOST_FIELDS = ["host", "hostname"] as const;
const CERTIFIED_NAMES = /\b(?:DNS|CN)[:=]\s*\S+/g;
/** Fields where Node's errors keep their original input, or the certificate of a host. */
const INPUTS: ReadonlySet<string> = new Set(["input", "base", "cert"]);
/** Deeper levels are left out. This is pino's own limit. */
const MAX_LEVELS = 5;

/**
 * A structured log, one line per entry. It never waits and never fails. Lines that cannot be written are
 * dropped, and their number is reported when there is room again.
 */
export async function openLog({ level, format, target = standardError() }: LogOptions): Promise<Log> {
  const render = format === "pretty" ? await prettyRenderer() : (line: string) => line;
  const sink = new LineSink({
    target,
    onRecovered: (dropped, reason) =>
      log.error({ dropped, reason }, "Lines of the log could not be written."),
  });
  // NOTE: pino's own redaction cannot match any depth, and took twice the time of the line for two levels.
  const formatters = { log: (fields: Fields) => withoutSecrets(fields, 0, undefined) };
  const log = pino(
    { level, formatters, serializers: { err: (told: unknown) => told } },
    { write: (line: string) => sink.write(render(line)) },
  );
  return log;
}

async function prettyRenderer(): Promise<(line: string) => string> {
  const { prettyFactory } = await import("pino-pretty");
  return prettyFactory({ ignore: "pid,hostname", translateTime: "HH:MM:ss" });
}

/** @param hosts names of the hosts of the failure that the fields belong to; undefined outside of failures. */
function withoutSecrets(
  fields: object,
  level: number,
  hosts: readonly string[] | undefined,
): Record<string, unknown> {
  const isSecret = (name: string) =>
    SECRETS.has(name.toLowerCase()) || (hosts !== undefined && INPUTS.has(name.toLowerCase()));
  if (hosts === undefined && isPlain(fields)) return fields;
  const told = Object.entries(fields).map(([name, value]) => [
    name,
    isSecret(name) ? "[secret]" : tell(value, level, hosts),
  ]);
  return Object.fromEntries(told) as Record<string, unknown>;
}

/** Whether nothing of the fields has to be replaced: most lines are like that, and need no copy. */
function isPlain(fields: object): fields is Record<string, unknown> {
  for (const name in fields) {
    const value = ownProperty(fields as Fields, name);
    if (SECRETS.has(name.toLowerCase()) || (typeof value === "object" && value !== null)) return false;
  }
  return true;
}

function tell(value: unknown, level: number, hosts: readonly string[] | undefined): unknown {
  if (hosts && (typeof value === "string" || value instanceof URL)) return withoutAddresses(value, hosts);
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (level === MAX_LEVELS) return "[…]";
  if (value instanceof Error)
    return withoutSecrets(pino.stdSerializers.err(value), level + 1, [...(hosts ?? []), ...hostsOf(value)]);
  return Array.isArray(value)
    ? value.map((entry) => tell(entry, level + 1, hosts))
    : withoutSecrets(value, level + 1, hosts);
}

function withoutAddresses(text: string | URL, hosts: readonly string[]): string {
  const told = String(text).replaceAll(ADDRESSES, "[url]").replaceAll(CERTIFIED_NAMES, "[host]");
  return hosts.reduce((left, host) => left.replaceAll(host, "[host]"), told);
}

/** Hosts that a failure and its causes are about. */
function hostsOf(failure: unknown, level = 0): readonly string[] {
  if (!(failure instanceof Error) || level === MAX_LEVELS) return [];
  const fields = failure as Partial<Record<(typeof HOST_FIELDS)[number], unknown>>;
  const named = HOST_FIELDS.map((name) => fields[name]).filter((host) => typeof host === "string");
  return [...named.filter((host) => host !== ""), ...hostsOf(failure.cause, level + 1)];
}

/**
 * Writes to standard error, which may be a file, a terminal or a pipe. A pipe is written through the event
 * loop: a thread that waits for the reader would keep the process from ending. Files are written in a thread.
 */
function standardError(): LineTarget {
  return {
    write: isPipe() ? writePipe : writeFile,
    writeNow(bytes) {
      for (let at = 0; at < bytes.byteLength;) at += writeSync(DESCRIPTOR, bytes, at);
    },
  };
}

function isPipe(): boolean {
  const kind = fstatSync(DESCRIPTOR);
  return kind.isFIFO() || kind.isSocket();
}

const writePipe: LineTarget["write"] = (bytes, done) => {
  // Callers of `write` learn of failures by `done`. Without a listener, failures would end the process.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => undefined);
  process.stderr.write(bytes, (failure) => done(failure ?? undefined, failure ? 0 : bytes.byteLength));
};

const writeFile: LineTarget["write"] = (bytes, done) => {
  write(DESCRIPTOR, bytes, (failure, writtenBytes) => done(failure ?? undefined, failure ? 0 : writtenBytes));
};
