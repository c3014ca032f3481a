import { ServiceError } from "../api/errors.ts";
import { ProviderToolRequest } from "../api/provider-tools.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { TeamCall } from "../api/call.ts";
import { Outgoing } from "../api/outgoing.ts";
import { runTools, type ToolServices } from "./run-tools.ts";

/** Answers a body with provider-tool calls. @throws ZodError; ServiceError as in contract, section 3.30. */
export async function answerTools(call: TeamCall, tools: ToolServices): Promise<Outgoing> {
  const { alexandria, timeout } = toolCallsOf(call.body);
  const requestId = requestIdOf(call.headers["x-request-id"]);
  call.setHeader("x-request-id", requestId);
  const { caller, linkBase } = call;
  const order = { caller, requestId, calls: [alexandria].flat(), timeoutMs: timeout, linkBase };
  return new Outgoing(await runTools(order, tools), { type: "application/json; charset=utf-8" });
}

/** @throws ServiceError BAD_REQUEST when the body has scrape fields beside the calls; ZodError. */
function toolCallsOf(body: unknown) {
  const { data, error } = ProviderToolRequest.safeParse(body);
  if (data) return data;
  const beside = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  if (beside.length === 0) throw error;
  throw new ServiceError("BAD_REQUEST", {
    message: `Bad Request: alexandria calls provider tools, so ${beside.join(", ")} cannot stand beside it, only timeout, origin and integration`,
    details: error.issues,
  });
}

function requestIdOf(header: string | readonly string[] | undefined): string {
  if (header === undefined) return uuidV7();
  if (typeof header === "string" && /^[A-Za-z0-9._:-]{1,128}$/.test(header)) return header;
  throw new ServiceError("BAD_REQUEST", {
    message: "Invalid x-request-id; use 1-128 letters, digits, dots, underscores, colons or hyphens.",
  });
}
