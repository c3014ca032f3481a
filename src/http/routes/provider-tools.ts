import type { FastifyReply, FastifyRequest } from "fastify";

import { ServiceError } from "../../contract/errors.ts";
import { ProviderToolRequest } from "../../contract/provider-tools.ts";
import { uuidV7 } from "../../kit/uuid.ts";
import { runTools, type ToolServices } from "../../tools/run-tools.ts";
import { linkBase } from "../link-base.ts";

/** Whether the body asks for provider tools instead of a page (contract, section 1). */
export function asksForTools({ body }: FastifyRequest): boolean {
  return typeof body === "object" && body !== null && Object.hasOwn(body, "alexandria");
}

/** Provider-tool mode. @throws ZodError; ServiceError as in contract, section 3.30. */
export async function answerTools(
  request: FastifyRequest,
  reply: FastifyReply,
  { tools, publicUrl }: { readonly tools: ToolServices; readonly publicUrl: string | undefined },
): Promise<FastifyReply> {
  const { alexandria, timeout } = ProviderToolRequest.parse(request.body);
  const requestId = requestIdOf(request.headers["x-request-id"]);
  reply.header("x-request-id", requestId);
  const calls = [alexandria].flat();
  const { caller } = request;
  const order = {
    caller,
    requestId,
    calls,
    timeoutMs: timeout,
    linkBase: linkBase(request, reply, publicUrl),
  };
  const text = await runTools(order, tools);
  return reply.type("application/json; charset=utf-8").send(text);
}

function requestIdOf(header: string | readonly string[] | undefined): string {
  if (header === undefined) return uuidV7();
  if (typeof header === "string" && /^[A-Za-z0-9._:-]{1,128}$/.test(header)) return header;
  throw new ServiceError("BAD_REQUEST", {
    message: "Invalid x-request-id; use 1-128 letters, digits, dots, underscores, colons or hyphens.",
  });
}
