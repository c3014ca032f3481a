import type { FastifyReply, FastifyRequest } from "fastify";

import { ServiceError } from "../api/errors.ts";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { CallParts, OperatorCall, TeamCall } from "../api/call.ts";
import { clientGone } from "./client-gone.ts";
import { linkBase } from "./link-base.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The operator's login that the request came with; undefined when it came with a key. */
    operatorSession: OperatorCall["operatorSession"];
  }
}

/** The parts of a request that schemas have checked. */
export type AskedParts = Pick<CallParts, "query" | "body">;

/** A request as operations see it. What costs something is made when it is asked for. */
export class HttpCall implements TeamCall, OperatorCall {
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

  get caller(): TeamCall["caller"] {
    return this.#request.caller;
  }

  get operatorSession(): OperatorCall["operatorSession"] {
    return this.#request.operatorSession;
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
