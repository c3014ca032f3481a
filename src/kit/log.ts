import { pino, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

interface LogOptions {
  readonly level: string;
  readonly format: "pretty" | "json";
}

/** Field names that never reach a log line, wherever they stand in an object. */
const SECRETS = ["authorization", "cookie", "apiKey", "password", "token"].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** A structured log to standard error, one line per entry. */
export async function openLog({ level, format }: LogOptions): Promise<Log> {
  return pino({ level, redact: { paths: SECRETS, censor: "[secret]" } }, await destination(format));
}

async function destination(format: LogOptions["format"]): Promise<DestinationStream> {
  if (format === "json") return pino.destination({ fd: 2, sync: false });
  const { default: pretty } = await import("pino-pretty");
  return pretty({ destination: 2, ignore: "pid,hostname", translateTime: "HH:MM:ss", sync: false });
}
