import type { FastifyReply } from "fastify";

import { Follow, JsonParts, Outgoing } from "../api/outgoing.ts";
import { sendJsonParts } from "./send-json.ts";

/** Sends special responses. Plain JSON is left to the server. */
export function sendAnswer(answer: unknown, reply: FastifyReply): unknown {
  if (answer instanceof Outgoing) return sendOutgoing(answer, reply);
  if (answer instanceof JsonParts) sendJsonParts(reply, answer);
  else if (answer instanceof Follow) answer.write(reply.hijack().raw);
  else return answer;
  return reply;
}

export function sendOutgoing({ content, head }: Outgoing, reply: FastifyReply): FastifyReply {
  const { status = 200, type, headers = {} } = head;
  if (type !== undefined) reply.type(type);
  return reply.code(status).headers(headers).send(content);
}
