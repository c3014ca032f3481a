import { z } from "zod";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { tellFailure } from "./failure.ts";
import { errorReply, Message, type Reply, resultReply, RpcError } from "./message.ts";
import { type McpContext, type McpServices, methods } from "./methods.ts";
import type { ToolResult } from "./tool.ts";

/** What is known of a call, to be logged. */
export interface CallNotes {
  readonly method: string;
  /** Name of the tool. */
  readonly tool?: string;
  readonly code?: string;
}

/** The caller, and the receivers of events. */
export interface MessageContext extends Omit<McpContext, "fail"> {
  /** Called once of each request. */
  note(notes: CallNotes): void;
  /** Whether another process can do what failed here: then it is asked, and answers. */
  isElsewhere?(failure: unknown): boolean;
  /** Called with unexpected failures. @returns an id under which the operator finds the failure. */
  report(failure: unknown): string;
  /** Called with every other failure that a caller gets. */
  readonly told?: (failure: unknown) => void;
}

/**
 * Answers one message of the Model Context Protocol. Nothing is remembered between messages: any process can answer any
 * of them.
 * @returns undefined when there is nothing to answer.
 * @throws what another process can do, as `isElsewhere` tells.
 */
export async function answerMessage(
  message: unknown,
  server: McpServices,
  context: MessageContext,
): Promise<Reply | undefined> {
  const parsed = Message.safeParse(message);
  if (!parsed.success) {
    const hint = Array.isArray(message) ? "Send one message at a time." : z.prettifyError(parsed.error);
    return errorReply(null, new RpcError("invalidRequest", `Not a valid JSON-RPC 2.0 message. ${hint}`));
  }
  const { id } = parsed.data;
  // A notification: that a client is ready, or that it wants no more, which it shows by hanging up.
  if (id === undefined) return undefined;
  try {
    return resultReply(id, await run(parsed.data, server, context));
  } catch (failure) {
    if (context.isElsewhere?.(failure)) throw failure;
    return errorReply(id, rpcErrorOf(failure, context));
  }
}

async function run(
  { method, params }: Message,
  server: McpServices,
  context: MessageContext,
): Promise<unknown> {
  const found = ownProperty(methods, method);
  if (!found) throw new RpcError("methodNotFound", `Unknown method: ${JSON.stringify(method)}.`);
  const tool = typeof params?.["name"] === "string" ? { tool: params["name"].slice(0, 100) } : {};
  context.note({ method, ...tool });
  const fail = (failure: unknown) => {
    if (context.isElsewhere?.(failure)) throw failure;
    const { text, code } = tell(failure, context);
    context.note({ method, ...tool, code });
    return { content: [{ type: "text", text }], isError: true } satisfies ToolResult;
  };
  return found(params ?? {}, server, { ...context, fail });
}

function rpcErrorOf(failure: unknown, context: MessageContext): RpcError {
  if (failure instanceof RpcError) return failure;
  const { text, code } = tell(failure, context);
  return new RpcError(code === "BAD_REQUEST" ? "invalidParams" : "internalError", text);
}

function tell(failure: unknown, context: MessageContext) {
  const told = tellFailure(failure);
  if (told) {
    context.told?.(failure);
    return told;
  }
  const id = context.report(failure);
  return { code: "UNKNOWN_ERROR", text: `UNKNOWN_ERROR: An unexpected error occurred. Error ID: ${id}` };
}
