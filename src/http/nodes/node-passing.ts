import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import { processOf } from "../../contract/elsewhere.ts";
import type { Nodes } from "../../platform/coordination/nodes.ts";
import { isPassedOn, type Passing } from "../passing.ts";
import { passRequest, passUpgrade } from "./node-requests.ts";
import { PassedSockets } from "./passed-sockets.ts";

export interface NodePassingParts {
  readonly nodes: Pick<Nodes, "urlOf">;
  readonly secret: string;
  readonly onError: (failure: unknown) => void;
}

/** Passes on what another process can answer, once it has failed here. What was passed on once stays. */
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
    const url = await this.#urlFor(failure, request.raw);
    if (url === undefined) return undefined;
    try {
      return await passRequest(request, reply, { url, secret: this.#parts.secret });
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
    const url = await this.#urlFor(failure, request);
    if (url === undefined) return false;
    passUpgrade(request, { ...connection, passed: this.#sockets }, { url, secret: this.#parts.secret });
    return true;
  }

  /** Ends the connections that go through this process. */
  close(): void {
    this.#sockets.close();
  }

  async #urlFor(failure: unknown, request: IncomingMessage): Promise<string | undefined> {
    const name = processOf(failure);
    if (name === undefined || isPassedOn(request)) return undefined;
    return this.#parts.nodes.urlOf(name).catch((failed: unknown) => {
      this.#parts.onError(failed);
      return undefined;
    });
  }
}
