import { pino, type Logger } from "pino";

import { LineSink, type LineTarget } from "./line-sink.ts";
import { standardError } from "./standard-error.ts";

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
/** Fields where Node's errors keep their original input. */
const INPUTS: ReadonlySet<string> = new Set(["input", "base"]);
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
  const formatters = { log: (fields: Fields) => withoutSecrets(fields, 0, false) };
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

function withoutSecrets(fields: object, level: number, isOfFailure: boolean): Record<string, unknown> {
  const isSecret = (name: string) =>
    SECRETS.has(name.toLowerCase()) || (isOfFailure && INPUTS.has(name.toLowerCase()));
  const told = Object.entries(fields).map(([name, value]) => [
    name,
    isSecret(name) ? "[secret]" : tell(value, level, isOfFailure),
  ]);
  return Object.fromEntries(told) as Record<string, unknown>;
}

function tell(value: unknown, level: number, isOfFailure: boolean): unknown {
  if (isOfFailure && (typeof value === "string" || value instanceof URL))
    return String(value).replaceAll(ADDRESSES, "[url]");
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (level === MAX_LEVELS) return "[…]";
  if (value instanceof Error) return withoutSecrets(pino.stdSerializers.err(value), level + 1, true);
  return Array.isArray(value)
    ? value.map((entry) => tell(entry, level + 1, isOfFailure))
    : withoutSecrets(value, level + 1, isOfFailure);
}
