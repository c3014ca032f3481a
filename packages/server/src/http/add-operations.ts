import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { AuditEvent, AuditLog } from "../accounts/audit.ts";
import { actingAs } from "../accounts/audit-actor.ts";
import { MAIN_OPERATOR, requireRole } from "../accounts/operators.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import type { OperationDescription } from "../api/operation-shape.ts";
import type { Operation } from "../api/operation.ts";
import { sendAnswer } from "./send-answer.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { CallParts, OperatorCall, TeamCall } from "../api/call.ts";
import { clientGone } from "./client-gone.ts";
import { linkBase } from "./link-base.ts";

/** Of each part of a body that the audit log has. */
const MAX_TOLD_LENGTH = 2000;

/**
 * Adds the routes of operations that use the same services.
 * @param publicUrl prefix of links to this service. When undefined, links use the host that the client
 * called.
 */
export function addOperations<Services>(
  app: FastifyInstance,
  operations: readonly Operation<Services>[],
  services: Services,
  publicUrl?: string,
): void {
  for (const operation of operations) {
    const { streamed } = operation;
    if (!streamed) addOperation(app, operation, services, publicUrl);
    else
      void app.register(async (scope) => {
        scope.addContentTypeParser(streamed.types, (_request, body, done) => done(null, body));
        addOperation(scope, operation, services, publicUrl);
      });
  }
}

function addOperation<Services>(
  app: FastifyInstance,
  operation: Operation<Services>,
  services: Services,
  publicUrl: string | undefined,
): void {
  const { line, endpoint, rate, isPaid, maxBodyBytes, answer } = operation;
  const [method = "", path = ""] = line.split(" ");
  const isFollowed = "contentType" in answer && answer.contentType === "text/event-stream";
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    config: { endpoint, rate, isPaid, streamed: operation.streamed?.types },
    ...(maxBodyBytes !== undefined && { bodyLimit: maxBodyBytes }),
    // An endless response cannot be reduced to its headers.
    ...(isFollowed && { exposeHeadRoute: false }),
    // Before the body is read.
    ...(operation.access === "operator" && {
      async onRequest(request) {
        requireRole(request.operator ?? MAIN_OPERATOR, operation, request);
      },
    }),
    async handler(_request, reply) {
      operation.permit?.(new HttpCall(reply, publicUrl), services);
      const call = new HttpCall(reply, publicUrl, partsOf(operation, reply));
      const handle = () => operation.handle(call, services);
      const event = changeOf(operation, call);
      const done = event ? actingAs({ by: operatorName(call), event, audit: app.audit }, handle) : handle();
      return sendAnswer(await done, reply);
    },
  });
}

/** The event about an operation that changes something, or gives something away. */
function changeOf(
  { audit: kind, tells = [], line }: OperationDescription,
  call: HttpCall,
): AuditEvent | undefined {
  if (kind === undefined) return undefined;
  const body = (call.body ?? {}) as Readonly<Record<string, unknown>>;
  const told = tells.flatMap((name) => {
    const value = ownProperty(body, name);
    if (value === undefined) return [];
    return [[name, typeof value === "string" ? value.slice(0, MAX_TOLD_LENGTH) : value]];
  });
  const { teamId, ...rest } = Object.fromEntries(told) as Readonly<Record<string, unknown>>;
  const { id, ...params } = call.params;
  const isTeams = line.includes("/teams/{id}");
  const target = id === undefined || isTeams ? {} : { target: id };
  const owner = isTeams ? id : teamId;
  return {
    kind,
    ...(typeof owner === "string" && { teamId: owner }),
    details: { ...target, ...params, ...rest },
  };
}

/** Parses query and body. @throws ZodError for invalid ones. */
function partsOf(operation: OperationDescription, { request }: FastifyReply): AskedParts {
  const { query, body, hidesMistakes } = operation;
  const asked = query?.safeParse(request.query);
  if (asked?.error) throw hidesMistakes ? new NotFoundError("Not Found") : asked.error;
  if (request.body instanceof Readable) return { query: asked?.data, body: request.body };
  return { query: asked?.data, body: body?.schema.parse(request.body === undefined ? {} : request.body) };
}

declare module "fastify" {
  interface FastifyInstance {
    /** Where changes by operators are written. */
    audit?: Pick<AuditLog, "write">;
  }
  interface FastifyRequest {
    /** The operator's login of the request; undefined for requests with a key. */
    operatorSession: OperatorCall["operatorSession"];
    /** Undefined until the operator is known. */
    operator: OperatorCall["operator"] | undefined;
  }
}

/** Query and body, checked by their schemas. */
type AskedParts = Pick<CallParts, "query" | "body">;

/** A request as operations see it. Expensive members are computed on first use. */
class HttpCall implements TeamCall, OperatorCall {
  readonly params: CallParts["params"];
  readonly query: unknown;
  readonly body: unknown;
  readonly publicUrl: string | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(reply: FastifyReply, publicUrl: string | undefined, asked?: AskedParts) {
    this.params = reply.request.params as CallParts["params"];
    this.query = asked?.query;
    this.body = asked?.body;
    this.publicUrl = publicUrl;
    this.#reply = reply;
    this.#request = reply.request;
  }

  get id(): string {
    return this.#request.id;
  }

  get method(): string {
    return this.#request.method;
  }

  get headers(): TeamCall["headers"] {
    return this.#request.headers;
  }

  get ip(): string {
    return this.#request.ip;
  }

  get origin(): string {
    return `${this.#request.protocol}://${this.#request.host}`;
  }

  get linkBase(): string {
    return linkBase(this.#request, this.#reply, this.publicUrl);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= clientGone(this.#reply));
  }

  get startedAtMs(): number {
    return Math.floor(Date.now() - this.#reply.elapsedTime);
  }

  get caller(): TeamCall["caller"] {
    return this.#request.caller;
  }

  get operatorSession(): OperatorCall["operatorSession"] {
    return this.#request.operatorSession;
  }

  get operator(): OperatorCall["operator"] {
    return this.#request.operator ?? MAIN_OPERATOR;
  }

  get log(): FastifyRequest["log"] {
    return this.#request.log;
  }

  get idempotencyKey(): string | undefined {
    const key = this.headers["x-idempotency-key"] ?? this.headers["idempotency-key"];
    if (key === undefined || (typeof key === "string" && isUuid(key))) return key;
    throw new ServiceError("BAD_REQUEST", { message: "Invalid idempotency key" });
  }

  setHeader(name: string, value: string): void {
    this.#reply.header(name, value);
  }

  note(facts: Readonly<Record<string, unknown>>): void {
    this.#request.notes = { ...facts };
  }

  keepPrivate(): void {
    this.#request.isPrivate = true;
  }
}

/** Name of the operator for the audit log, as far as the service knows it. */
function operatorName({ operatorSession, operator: { name }, ip }: HttpCall): string {
  if (name !== null) return `${name} at ${ip}`;
  return operatorSession ? `dashboard at ${ip}` : `operator's key at ${ip}`;
}
