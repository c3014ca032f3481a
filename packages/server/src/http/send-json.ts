import type { FastifyReply } from "fastify";

import type { JsonParts } from "../api/outgoing.ts";

/** A client that reads nothing for this long is disconnected, and its unsent data dropped. */
const SILENT_READER_MS = 30_000;

/**
 * Adds the headers of every response (contract, section 1.0), including the announcement that the connection
 * closes.
 */
export function addLastHeaders(reply: FastifyReply): void {
  reply.header("x-response-time", `${Math.round(reply.elapsedTime)}ms`);
  if (!reply.server.server.listening) reply.header("connection", "close");
}

/**
 * Responds 200 with JSON in parts that are sent unchanged. Joining the parts of a large document would take
 * much of the time of a response from memory.
 */
export function sendJsonParts(reply: FastifyReply, { parts, onSent }: JsonParts): void {
  addLastHeaders(reply);
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.setHeader("content-type", "application/json; charset=utf-8");
  raw.setHeader(
    "content-length",
    parts.reduce((sum, part) => sum + part.byteLength, 0),
  );
  if (onSent) raw.once("close", onSent);
  if (raw.closed) onSent?.();
  raw.setTimeout(SILENT_READER_MS, () => raw.destroy());
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  raw.uncork();
}
