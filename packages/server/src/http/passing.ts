import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

/** Forwards requests that this process cannot handle to other processes. */
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

/** Requests that another process has forwarded. */
const passed = new WeakSet<IncomingMessage>();

/** Says whether another process forwarded the request. That process has counted it, and cannot answer it. */
export function isPassedOn(request: IncomingMessage): boolean {
  return passed.has(request);
}

/** Call it only where another process is known to have sent the request. */
export function notePassedOn(request: IncomingMessage): void {
  passed.add(request);
}
