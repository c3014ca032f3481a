import { lazy } from "@pergamon-dev/kit/lazy";
import type { z } from "zod";

import type { RateClassName } from "./rate-classes.ts";

/** `METHOD path` with parameters in braces: `GET /v2/scrape/{id}`. */
export type Line = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** The shape of a JSON body, with its name in the OpenAPI document. */
export interface Shape<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: Schema;
  /** Matches the schema, so that readers of the reference can send it unchanged. */
  readonly example: unknown;
  /** Documented instead, where the handler parses the body itself. */
  readonly documented?: z.ZodType | undefined;
}

/** @param schema or what makes it on first use: a process uses few, and the reference all. */
export function defineShape<Schema extends z.ZodType>(
  name: string,
  schema: Schema | (() => Schema),
  example: unknown,
  documented: () => z.ZodType | undefined = () => undefined,
): Shape<Schema> {
  const made = lazy(() => (typeof schema === "function" ? schema() : schema));
  return {
    name,
    example,
    get schema() {
      return made();
    },
    get documented() {
      return documented();
    },
  };
}

/** A response that is not JSON. */
export interface Media {
  readonly contentType: string;
  readonly isBinary?: true;
  readonly example: string;
}

/** A body that the handler gets as a `Readable`, neither parsed nor limited before. */
export interface StreamedBody {
  /** Content types of requests that are streamed; others are parsed as JSON. */
  readonly types: RegExp;
  /** Content type that the reference shows. */
  readonly contentType: string;
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** JSON Schema of a path parameter. */
export type PathPart = Readonly<Record<string, unknown>>;

/**
 * Allowed callers: a team (by key, or anybody in open mode), the operator, or others as the composition of
 * the service decides.
 */
export type Access = "caller" | "operator" | "login" | "metrics" | "anyone";

/** Subject and what became of it: `team.changed`. */
export type ChangeKind = `${string}.${string}`;

/** Description of an operation for clients and the reference, without its implementation. */
export interface OperationDescription {
  readonly line: Line;
  readonly access: Access;
  /** Heading in the reference. */
  readonly tag: string;
  /** An operation without a summary is internal to the dashboard, and missing from the reference. */
  readonly summary?: string;
  /** What the summary cannot say: what it does, in one or two sentences. Access, rate and price are added. */
  readonly description?: string;
  /** Path parameters by name. Default: any text. */
  readonly params?: Readonly<Record<string, PathPart>>;
  readonly query?: z.ZodObject | undefined;
  readonly body?: Shape | undefined;
  readonly streamed?: StreamedBody;
  /** Response with status 200. */
  readonly answer: Shape | Media;
  /** Alternative body for the same line, with another response shape. */
  readonly or?: { readonly body: Shape; readonly answer: Shape };
  /** Failure statuses besides those that follow from `access` and `body`. */
  readonly errors?: readonly number[];
  /** Default: an error with its code. */
  readonly failure?: Shape;
  /** Endpoint for key restrictions. Default: account. */
  readonly endpoint?: string;
  /** Rate class of the request. Default: status. */
  readonly rate?: RateClassName;
  /** What the audit log calls this: required for what operators do, unless it only reads. */
  readonly audit?: ChangeKind;
  /** The least role that may do it. Default: viewers what only reads, admins the rest. A team is bound to its own id. */
  readonly least?: "team" | "viewer";
  /** Members of the body that the audit log has. Never secrets. */
  readonly tells?: readonly string[];
  /** Requires that the team has credits, which is checked before the body is read. */
  readonly isPaid?: true;
  /** Default: `limits.bodyBytes`. */
  readonly maxBodyBytes?: number;
  /** Answers an invalid query with 404, like a broken link. */
  readonly hidesMistakes?: true;
  /** True when `x-idempotency-key` or `Idempotency-Key` ensures that the request is accepted only once. */
  readonly takesIdempotencyKey?: true;
}

/** Failure statuses of the access check (contract, section 4.1). */
const ACCESS_ERRORS: Readonly<Record<Access, readonly number[]>> = {
  caller: [401, 403, 429],
  // 403: a page of another site sent the request with a login cookie.
  operator: [401, 403],
  login: [401, 403],
  metrics: [401],
  anyone: [],
};

/** Statuses for a body that is not JSON, too large, or invalid. */
const BODY_ERRORS = [400, 413];
/** Statuses for a malformed idempotency key, and for a used one. */
const IDEMPOTENCY_ERRORS = [400, 409];

/** Lists the failure statuses of an operation, ascending. Every operation can fail unexpectedly. */
export function failuresOf(operation: OperationDescription): readonly number[] {
  const { access, errors = [], body, streamed, takesIdempotencyKey } = operation;
  const all = [
    ...ACCESS_ERRORS[access],
    ...errors,
    ...(body || streamed ? BODY_ERRORS : []),
    ...(takesIdempotencyKey ? IDEMPOTENCY_ERRORS : []),
    500,
  ];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** Names in braces within a line. */
export type ParamName<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;
