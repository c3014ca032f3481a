import type { FastifyReply } from "fastify";

import type { JsonParts } from "../api/outgoing.ts";

/** A reader that takes nothing for so long is let go, with what was to be sent to it. */
const SILENT_READER_MS = 30_000;

/** What every answer's head tells (contract, section 1.0), and that no further request will be taken, if so. */
export function addLastHeaders(reply: FastifyReply): void {
  reply.header("x-response-time", `${Math.round(reply.elapsedTime)}ms`);
  if (!reply.server.server.listening) reply.header("connection", "close");
}

/**
 * Answers 200 with JSON in parts, which go out as they are. Joining the parts of a large document first would cost a
 * good part of answering it from memory.
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
