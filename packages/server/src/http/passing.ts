import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

/** Asks other processes for what cannot be done here. */
export interface Passing {
  /** @returns undefined when no other process can answer; nothing was sent then. */
  answer(failure: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** @returns false when no other process can take it. */
  connect(
    failure: unknown,
    request: IncomingMessage,
    connection: { readonly socket: Duplex; readonly head: Buffer },
  ): Promise<boolean>;
}

/** Requests that another process has passed on. */
const passed = new WeakSet<IncomingMessage>();

/** Whether a request came from another process, which has counted it, and cannot answer it. */
export function isPassedOn(request: IncomingMessage): boolean {
  return passed.has(request);
}

/** To be called where another process is known to have sent the request. */
export function notePassedOn(request: IncomingMessage): void {
  passed.add(request);
}
