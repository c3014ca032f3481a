import type { z } from "zod";

import type { RateClassName } from "./rate-classes.ts";

/** `METHOD path`; parts to be filled in are in braces: `GET /v2/scrape/{id}`. */
export type Line = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** The shape of a JSON body, under the name by which the OpenAPI document refers to it. */
export interface Shape<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: Schema;
  /** Fits the schema: readers of the reference may send it as it is. */
  readonly example: unknown;
  /** What is documented instead, where the handler itself parses the body. */
  readonly documented?: z.ZodType;
}

export function defineShape<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  example: unknown,
): Shape<Schema> {
  return { name, schema, example };
}

/** An answer that is not JSON. */
export interface Media {
  readonly contentType: string;
  readonly isBinary?: true;
  readonly example: string;
}

/** A body that the handler gets as a `Readable`: neither parsed nor bounded before. */
export interface StreamedBody {
  /** Content types of requests that are streamed; others are parsed as JSON. */
  readonly types: RegExp;
  /** As the reference names it. */
  readonly contentType: string;
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** JSON Schema of a part of the path. */
export type PathPart = Readonly<Record<string, unknown>>;

/** Who may ask: a team (by key, or all in open mode), the operator, or others as the composition of the service decides. */
export type Access = "caller" | "operator" | "login" | "metrics" | "anyone";

/** What the interface says of an operation: all that clients and the reference need to know, without how it works. */
export interface OperationDescription {
  readonly line: Line;
  readonly access: Access;
  /** The heading in the reference. */
  readonly tag: string;
  /** Without one it is the dashboard's own, and not in the reference. */
  readonly summary?: string;
  /** By the names in the path. Default: any text. */
  readonly params?: Readonly<Record<string, PathPart>>;
  readonly query?: z.ZodObject | undefined;
  readonly body?: Shape | undefined;
  readonly streamed?: StreamedBody;
  /** Of status 200. */
  readonly answer: Shape | Media;
  /** The same line with another body, which is answered with another shape. */
  readonly or?: { readonly body: Shape; readonly answer: Shape };
  /** Statuses of failures, besides those that follow from `access` and `body`. */
  readonly errors?: readonly number[];
  /** Default: an error with its code. */
  readonly failure?: Shape;
  /** What a key may be restricted to. Default: account. */
  readonly endpoint?: string;
  /** What the request counts as. Default: status. */
  readonly rate?: RateClassName;
  /** Whether the team must have credits, which is checked before the body is read. */
  readonly isPaid?: true;
  /** Default: `limits.bodyBytes`. */
  readonly maxBodyBytes?: number;
  /** Whether a query that does not fit is answered 404, as a link that leads nowhere. */
  readonly hidesMistakes?: true;
  /** Whether `x-idempotency-key` or `Idempotency-Key` makes sure that the request is accepted once. */
  readonly takesIdempotencyKey?: true;
}

/** What the check of who asks can end with (contract, section 4.1). */
const ACCESS_ERRORS: Readonly<Record<Access, readonly number[]>> = {
  caller: [401, 403, 429],
  // 403: a page of another site asked, with the cookie of a login.
  operator: [401, 403],
  login: [401, 403],
  metrics: [401],
  anyone: [],
};

/** A body that is not JSON, too large, or does not fit. */
const BODY_ERRORS = [400, 413];
/** A malformed key, and one that was used. */
const IDEMPOTENCY_ERRORS = [400, 409];

/** Statuses of the failures that an operation can end with, ascending. Any can break unexpectedly. */
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

/** The names in braces of a line. */
export type ParamName<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;
