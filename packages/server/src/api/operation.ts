import type { z } from "zod";

import type {
  Access,
  ChangeKind,
  Line,
  Media,
  OperationDescription,
  ParamName,
  Shape,
} from "./operation-shape.ts";
import type { Call, OperatorCall, TeamCall } from "./call.ts";
import type { Follow, JsonParts, Outgoing } from "./outgoing.ts";

/** An operation of the interface: its description and its handler with the services that it needs. */
export interface Operation<Services = never> extends OperationDescription {
  /** Rejects unauthorised callers before their query and body are parsed. */
  permit?(call: Call, services: Services): void;
  /** @returns the JSON body, or an `Outgoing` for other responses. */
  handle(call: Call, services: Services): unknown;
}

/** The description of an operation, with the parts that define the types of its calls and responses. */
type Typed<Text extends Line, Who extends Access, Query, Body, Answer> = Omit<
  OperationDescription,
  "line" | "access" | "query" | "body" | "answer"
> & {
  readonly line: Text;
  /** Default: caller. */
  readonly access?: Who;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer;
};

/** A change by an operator that the audit log would not know is no operation. */
type Audited<Who extends Access, Text extends Line> = Who extends "operator" | "login"
  ? Text extends `GET ${string}`
    ? unknown
    : { readonly audit: ChangeKind }
  : unknown;

interface PartsOf<Text extends Line, Query, Body> {
  readonly params: Readonly<Record<ParamName<Text>, string>>;
  readonly query: Query extends z.ZodType ? z.output<Query> : undefined;
  readonly body: Body extends Shape<infer Schema> ? z.output<Schema> : undefined;
}

type CallOf<Who extends Access, Text extends Line, Query, Body> = Who extends "caller"
  ? TeamCall<PartsOf<Text, Query, Body>>
  : Who extends "operator"
    ? OperatorCall<PartsOf<Text, Query, Body>>
    : Call<PartsOf<Text, Query, Body>>;

/** What a handler returns: the declared shape, or a response that is sent unchanged. */
type AnswerOf<Answer> = Sent | (Answer extends Shape<infer Schema> ? Sendable<z.input<Schema>> : never);
type Sent = Outgoing | JsonParts | Follow;

/** The type before JSON serialisation: optional members may be undefined. Arbitrary JSON is not inspected. */
type Sendable<T> = z.core.util.JSONType extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Sendable<T[Name]> | (object extends Pick<T, Name> ? undefined : never) }
      : T;

/** Types of requests and responses for the clients in this repository. */
interface Described<Text extends Line, Query, Body, Answer> {
  readonly line: Text;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

/** Defines an operation: its route, reference and key restrictions are derived from this object. */
export function defineOperation<
  const Text extends Line,
  const Answer extends Shape | Media,
  Services,
  const Who extends Access = "caller",
  Query extends z.ZodObject | undefined = undefined,
  Body extends Shape | undefined = undefined,
  const Answered extends AnswerOf<Answer> = AnswerOf<Answer>,
>(
  definition: Typed<Text, Who, Query, Body, Answer> &
    Audited<Who, Text> & {
      permit?(call: CallOf<Who, Text, undefined, undefined>, services: Services): void;
      handle(call: CallOf<Who, Text, Query, Body>, services: Services): Answered | Promise<Answered>;
    },
): Operation<Services> & Described<Text, Query, Body, Answer> {
  return { access: "caller", ...definition } as Operation<Services> & Described<Text, Query, Body, Answer>;
}
