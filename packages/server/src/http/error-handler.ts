import { errorCodes as FastifyErrors, type FastifyReply, type FastifyRequest } from "fastify";
import { z } from "zod";

import { errorCodes } from "../api/error-codes.ts";
import {
  ChangedMeanwhileError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../api/errors.ts";
import { ownFailure, PROBLEMS } from "@pergamon-dev/kit/process/own-failure";
import { overloadedBy } from "../accounts/work.ts";

/** An HTTP status and its body. */
interface ErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

const UNRECOGNIZED_KEYS =
  "Unrecognized key in body -- please review the v2 API documentation for request body changes";

/** What the public service says of the body of every search. Its details have the reason. */
const SEARCH_BODY = "Invalid request body";
const OF_SEARCH = /^\/v[12]\/search(?:\?|$)/;

/** A client fixes these first, and sees the others with its next request. */
const MAX_ISSUES = 100;

/** The operator's interface is not part of version 2. */
const UNRECOGNIZED_OPERATOR_KEYS = "Unrecognized key in body. See Operator at /docs for what it may have.";

/** Turns any thrown value into a response. No other code does. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = ownFailureOf(thrown, request) ?? thrown;
  const answer = errorAnswer(failure, request);
  if (answer.status === 500 && !(failure instanceof ServiceError)) {
    const known = request.isPrivate ? { name: nameOf(failure) } : { err: failure };
    request.log.error({ ...known, requestId: request.id }, "A request failed unexpectedly.");
  }
  request.failure = answer.body["code"] as string | undefined;
  request.thrown = failure;
  if (answer.retryAfterSeconds !== undefined) reply.header("retry-after", String(answer.retryAfterSeconds));
  // A 401 must name its scheme (RFC 9110, section 15.5.2).
  if (answer.status === 401) reply.header("www-authenticate", "Bearer");
  // A file may have failed before its first byte was sent.
  for (const name of ["content-disposition", "content-length"]) reply.removeHeader(name);
  return reply.code(answer.status).type("application/json; charset=utf-8").send(answer.body);
}

/** The request is valid. A temporary failure of the service may be over a moment later. */
function ownFailureOf(thrown: unknown, request: FastifyRequest): ServiceError | undefined {
  const lacking = ownFailure(thrown);
  if (!lacking) return undefined;
  const message =
    lacking === "files"
      ? "The limit of open files is reached, so no more files and connections can be opened. Raise it with ulimit -n"
      : "A request failed because a part of this service is away, or this machine is short of something.";
  const known = request.isPrivate ? { name: nameOf(thrown) } : { err: thrown };
  request.log.warn({ ...known, lacking, requestId: request.id }, message);
  const answered = overloadedBy(thrown);
  // Operators are told the cause, which callers need not know.
  if (!answered || request.raw.url?.startsWith("/admin/") !== true) return answered;
  const { code, retryAfterSeconds } = answered;
  return new ServiceError(code, {
    message: `${PROBLEMS[lacking]} This is tried again by itself.`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: thrown,
  });
}

function nameOf(failure: unknown): string {
  return failure instanceof Error ? failure.name : typeof failure;
}

function errorAnswer(failure: unknown, { id, raw }: FastifyRequest): ErrorAnswer {
  if (failure instanceof ServiceError) return codedAnswer(failure);
  if (failure instanceof z.ZodError) return validationAnswer(failure.issues, raw.url);
  if (failure instanceof UnauthorizedError) return uncoded(401, failure.message);
  if (failure instanceof ForbiddenError) return uncoded(403, failure.message);
  if (failure instanceof RateLimitError) return rateLimited(failure);
  if (failure instanceof NotFoundError) return uncoded(404, failure.message);
  if (failure instanceof ConflictError) return conflict(failure);
  if (failure instanceof ChangedMeanwhileError) return uncoded(412, failure.message);
  if (failure instanceof FastifyErrors.FST_ERR_CTP_BODY_TOO_LARGE) return uncoded(413, "Payload Too Large");
  if (isUnreadable(failure)) return coded("BAD_REQUEST", failure.message);
  if (raw.errored && !raw.complete)
    return coded("BAD_REQUEST", "The request ended before its body was complete.");
  return coded("UNKNOWN_ERROR", `An unexpected error occurred. Error ID: ${id}`);
}

/**
 * True when the framework could not read the request. Other errors with a status were not meant for the
 * client: a library describes its own exchange.
 */
function isUnreadable(failure: unknown): failure is Error {
  if (!(failure instanceof Error && "code" in failure && "statusCode" in failure)) return false;
  const status = Number(failure.statusCode);
  return String(failure.code).startsWith("FST_ERR_") && status >= 400 && status < 500;
}

function codedAnswer(failure: ServiceError): ErrorAnswer {
  const { code, message, details, retryAfterSeconds, chargeId, runId: jobId, requiresAction } = failure;
  const { status, body } = coded(code, message);
  return {
    status,
    body: {
      ...body,
      ...(details !== undefined && { details }),
      ...(chargeId !== undefined && { chargeId }),
      ...(jobId !== undefined && { runId: jobId }),
      ...(requiresAction !== undefined && { requiresAction }),
    },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

function coded(code: keyof typeof errorCodes, error: string): ErrorAnswer {
  return { status: errorCodes[code].status, body: { success: false, code, error } };
}

function uncoded(status: number, error: string): ErrorAnswer {
  return { status, body: { success: false, error } };
}

function conflict({ message, facts }: ConflictError): ErrorAnswer {
  return { status: 409, body: { ...uncoded(409, message).body, ...facts } };
}

function rateLimited({ message, retryAfterSeconds }: RateLimitError): ErrorAnswer {
  return { status: 429, body: { error: message }, retryAfterSeconds };
}

/** The body of the response to an invalid request (contract, section 1.8). */
function validationAnswer(issues: readonly z.core.$ZodIssue[], path: string | undefined): ErrorAnswer {
  const error = validationMessage(issues, path?.startsWith("/admin/") === true);
  const code = error === issues[0]?.message ? codeOf(issues[0]) : "BAD_REQUEST";
  const details = issues.slice(0, MAX_ISSUES);
  if (!OF_SEARCH.test(path ?? "")) return { status: 400, body: { success: false, code, error, details } };
  const told = details.map((issue, index) => (index === 0 ? { ...issue, message: error } : issue));
  return { status: 400, body: { success: false, code, error: SEARCH_BODY, details: told } };
}

/** A mistake that would fail a scrape has the code of that failure, although nothing is fetched. */
function codeOf(issue: z.core.$ZodIssue): string {
  const code: unknown = issue.code === "custom" ? issue.params?.["code"] : undefined;
  return typeof code === "string" ? code : "BAD_REQUEST";
}

function validationMessage(issues: readonly z.core.$ZodIssue[], isOperators: boolean): string {
  const first = issues[0];
  if (issues.some(({ code, path }) => code === "unrecognized_keys" && path.length <= 1))
    return isOperators ? UNRECOGNIZED_OPERATOR_KEYS : UNRECOGNIZED_KEYS;
  if (first?.code === "custom") return first.message;
  return `${errorCodes.BAD_REQUEST.message}: ${firstReason(issues)}`;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The validator's names of types → common ones. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["array", "an array"],
  ["int", "an integer"],
  ["object", "an object"],
  ["record", "an object"],
]);

/** Describes the first problem of a request in one sentence: `formats[2].schema must be an object`. */
function firstReason([first]: readonly Issue[], parent: Path = []): string {
  if (!first) return "it does not have the right shape";
  const path = [...parent, ...first.path];
  if (first.code === "custom") return first.message;
  if (first.code === "invalid_key") return firstReason(first.issues, path);
  const branch = first.code === "invalid_union" ? meantBranch(first.errors) : undefined;
  if (branch) return firstReason(branch, path);
  return `${z.core.toDotPath([...path]) || "the body"} ${predicateOf(first)}`;
}

/** Among alternative shapes, returns the issues of the intended one, whose type and name match. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const isOther = ({ code, path }: Issue) =>
    path.length === 0 ? code === "invalid_type" || code === "invalid_value" : isOfName(path);
  return branches.find((issues) => !issues.some(isOther));
}

function isOfName(path: Path): boolean {
  return path.length === 1 && path[0] === "type";
}

function predicateOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? "is missing"
        : `must be ${typeName(issue.expected)}`;
    case "too_small":
      return boundOf(issue, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return boundOf(issue, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_value":
      return `must be ${oneOf(issue.values)}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys.join(", ")}`;
    case "invalid_union":
      return unionPredicate(issue);
    default:
      return issue.message.startsWith("must ") ? issue.message : `is not valid: ${issue.message}`;
  }
}

function boundOf(
  { origin }: { readonly origin: string },
  comparison: string,
  bound: number | bigint,
): string {
  if (origin !== "number" && comparison === "at least" && bound === 1) return "must not be empty";
  if (origin === "string") return `must have ${comparison} ${bound} characters`;
  if (origin === "array" || origin === "set") return `must have ${comparison} ${bound} entries`;
  return `must be ${comparison} ${bound}`;
}

/** No alternative was intended: the value has another type than all, or an unknown name. */
function unionPredicate(issue: z.core.$ZodIssueInvalidUnion): string {
  if ("options" in issue && Array.isArray(issue.options)) return `must be ${oneOf(issue.options)}`;
  const all = issue.errors.flat();
  const named = all.flatMap((one) => (one.code === "invalid_value" && isOfName(one.path) ? one.values : []));
  if (named.length > 0) return `must have a type that is ${oneOf(named)}`;
  const values = all.flatMap((one) => (one.code === "invalid_value" ? one.values : []));
  const types = all.flatMap((one) => (one.code === "invalid_type" ? [typeName(one.expected)] : []));
  const choices = [...(values.length > 0 ? [oneOf(values)] : []), ...new Set(types)];
  return `must be ${choices.join(" or ")}`;
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length === 1 ? `${texts[0]}` : `one of ${texts.join(", ")}`;
}

function typeName(expected: string): string {
  return TYPES.get(expected) ?? `a ${expected}`;
}
