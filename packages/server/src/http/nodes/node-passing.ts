import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import { processOf } from "../../api/elsewhere.ts";
import type { Nodes } from "../../storage/coordination/nodes.ts";
import { isPassedOn, type Passing } from "../passing.ts";
import { type NodeTarget, passRequest, passUpgrade } from "./node-requests.ts";
import { PassedSockets } from "./passed-sockets.ts";

interface NodePassingParts {
  readonly nodes: Pick<Nodes, "urlOf">;
  readonly secret: string;
  readonly onError: (failure: unknown) => void;
  /** Interval of checks whether the process that handles a request still exists. Default: 10 seconds. */
  readonly lookMs?: number;
}

const LOOK_MS = 10_000;
/**
 * Number of missed checks in a row that count as the end of a process, because a process that shuts down in
 * order is no longer listed while it answers its last requests.
 */
const MISSED_LOOKS = 3;

/**
 * Forwards a request that failed here to a process that can answer it. A forwarded request is not forwarded
 * again.
 */
export class NodePassing implements Passing {
  readonly #parts: NodePassingParts;
  readonly #sockets = new PassedSockets();

  constructor(parts: NodePassingParts) {
    this.#parts = parts;
  }

  async answer(
    failure: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const target = await this.#targetFor(failure, request.raw);
    if (target === undefined) return undefined;
    try {
      return await passRequest(request, reply, target);
    } catch (failed) {
      this.#parts.onError(failed);
      return undefined;
    }
  }

  async connect(
    failure: unknown,
    request: IncomingMessage,
    connection: { readonly socket: Duplex; readonly head: Buffer },
  ): Promise<boolean> {
    const target = await this.#targetFor(failure, request);
    if (target === undefined) return false;
    passUpgrade(request, { ...connection, passed: this.#sockets }, target);
    return true;
  }

  /** Ends the connections that go through this process. */
  close(): void {
    this.#sockets.close();
  }

  async #targetFor(failure: unknown, request: IncomingMessage): Promise<NodeTarget | undefined> {
    const name = processOf(failure);
    if (name === undefined || isPassedOn(request)) return undefined;
    const { nodes, secret, onError } = this.#parts;
    const url = await nodes.urlOf(name).catch((failed: unknown) => {
      onError(failed);
      return undefined;
    });
    return url === undefined ? undefined : { url, secret, whenGone: (end) => this.#watch(name, end) };
  }

  /** A failing database query says nothing about the process. */
  #watch(name: string, end: () => void): () => void {
    let missed = 0;
    const look = async () => {
      const isListed = (await this.#parts.nodes.urlOf(name)) !== undefined;
      missed = isListed ? 0 : missed + 1;
      if (missed >= MISSED_LOOKS) end();
    };
    const looking = setInterval(
      () => void look().catch(() => undefined),
      this.#parts.lookMs ?? LOOK_MS,
    ).unref();
    return () => clearInterval(looking);
  }
}
