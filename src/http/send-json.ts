import type { FastifyReply } from "fastify";

/** The header of contract section 1.0, which every answer has. */
export function addResponseTime(reply: FastifyReply): void {
  reply.header("x-response-time", `${Math.round(reply.elapsedTime)}ms`);
}

/**
 * Answers 200 with JSON in parts, which go out as they are. Joining the parts of a large document first would cost a
 * good part of answering it from memory.
 */
export function sendJsonParts(reply: FastifyReply, parts: readonly Buffer[]): void {
  addResponseTime(reply);
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
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  raw.uncork();
}
