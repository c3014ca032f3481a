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

/** Field names, in lower case, that never reach a log line, wherever they are in an object. */
const SECRETS: ReadonlySet<string> = new Set(["authorization", "cookie", "apikey", "password", "token"]);
/** Deeper levels are left out. The same as pino's own limit. */
const MAX_LEVELS = 5;

/**
 * A structured log, one line per entry. It never waits, and never fails: lines that cannot be written are missing, and
 * their number is reported when there is room again.
 */
export async function openLog({ level, format, target = standardError() }: LogOptions): Promise<Log> {
  const render = format === "pretty" ? await prettyRenderer() : (line: string) => line;
  const sink = new LineSink({
    target,
    onRecovered: (dropped, reason) =>
      log.error({ dropped, reason }, "Lines of the log could not be written."),
  });
  // NOTE: pino's own redaction knows no "at any depth", and took twice the time of the line for two levels.
  const formatters = { log: (fields: Fields) => withoutSecrets(fields, 0) };
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

function withoutSecrets(fields: object, level: number): Record<string, unknown> {
  const told = Object.entries(fields).map(([name, value]) => [
    name,
    SECRETS.has(name.toLowerCase()) ? "[secret]" : tell(value, level),
  ]);
  return Object.fromEntries(told) as Record<string, unknown>;
}

function tell(value: unknown, level: number): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (level === MAX_LEVELS) return "[…]";
  if (value instanceof Error) return withoutSecrets(pino.stdSerializers.err(value), level + 1);
  return Array.isArray(value)
    ? value.map((entry) => tell(entry, level + 1))
    : withoutSecrets(value, level + 1);
}
