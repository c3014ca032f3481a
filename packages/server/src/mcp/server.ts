import { z } from "zod";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { errorReply, Message, type Reply, resultReply, RpcError } from "./message.ts";
import { type McpContext, type McpServices, methods } from "./methods.ts";
import type { ToolResult } from "./tool.ts";
import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../api/errors.ts";

/** Facts of a call for the log. */
interface CallNotes {
  readonly method: string;
  readonly tool?: string;
  readonly code?: string;
}

/** The caller, and the receivers of events. */
export interface MessageContext extends Omit<McpContext, "fail"> {
  /** Called once per request. */
  note(notes: CallNotes): void;
  /** Says whether another process can do what failed here. That process then answers. */
  isElsewhere?(failure: unknown): boolean;
  /** Called with unexpected failures. @returns an id under which the operator finds the failure. */
  report(failure: unknown): string;
  /** Called with every other failure that a caller gets. */
  readonly told?: (failure: unknown) => void;
}

/**
 * Answers one message of the Model Context Protocol. No state is kept between messages, so any process can
 * answer any of them.
 * @returns undefined when there is nothing to answer.
 * @throws failures that `isElsewhere` assigns to another process.
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
  // A notification says that a client is ready, or that it cancels, which it also shows by hanging up.
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

const MAX_TOLD_ISSUES = 10;
/** Maximum length of one issue, which may quote the input. */
const MAX_ISSUE_LENGTH = 500;

/** A failure described for a model. */
interface ToldFailure {
  readonly text: string;
  /** Used in the log. */
  readonly code: string;
}

/** Undefined for an unexpected failure, whose details must not be revealed. */
function tellFailure(failure: unknown): ToldFailure | undefined {
  if (failure instanceof ServiceError) {
    const { code, message, retryAfterSeconds } = failure;
    return { code, text: `${code}: ${message}${retryHint(retryAfterSeconds)}` };
  }
  if (failure instanceof z.ZodError) {
    return { code: "BAD_REQUEST", text: `BAD_REQUEST: ${tellIssues(failure.issues)}` };
  }
  if (failure instanceof RateLimitError) {
    return { code: "RATE_LIMIT", text: failure.message + retryHint(failure.retryAfterSeconds) };
  }
  const known = [ForbiddenError, NotFoundError, UnauthorizedError].some((kind) => failure instanceof kind);
  return known ? { code: (failure as Error).name, text: (failure as Error).message } : undefined;
}

function retryHint(seconds: number | undefined): string {
  return seconds === undefined ? "" : ` Try again in ${seconds} s.`;
}

/** Lists the first issues. A model fixes these, and sees the others with its next call. */
function tellIssues(issues: readonly z.core.$ZodIssue[]): string {
  const told = issues.slice(0, MAX_TOLD_ISSUES).map(tellIssue).join("; ");
  const left = issues.length - MAX_TOLD_ISSUES;
  return left > 0 ? `${told}; and ${left} more` : told;
}

function tellIssue({ path, message }: z.core.$ZodIssue): string {
  return (path.length === 0 ? message : `${path.join(".")}: ${message}`).slice(0, MAX_ISSUE_LENGTH);
}
