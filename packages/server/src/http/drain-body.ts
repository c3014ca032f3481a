import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Amount of an unwanted body that is read, so that its sender receives the response. */
export interface DrainLimits {
  readonly sizeBytes: number;
  /** Maximum time after the response. */
  readonly timeMs: number;
  /** Maximum time without a byte. */
  readonly idleMs: number;
}

/**
 * Closing a connection while its client still sends resets it, and the response is lost. A response that ends
 * the connection early is therefore sent completely, and the rest of the body is discarded before the close.
 */
export function drainBeforeClosing(app: FastifyInstance, limits: DrainLimits): void {
  app.addHook("onSend", (request, reply, payload: unknown, done) => {
    if (typeof payload !== "string" || !closesEarly(request, reply)) return done(null, payload);
    const answer = Buffer.from(payload);
    reply.header("content-length", answer.byteLength);
    done(null, Readable.from(answerFirst(answer, request.raw, limits), { objectMode: false }));
  });
}

function closesEarly({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  if (raw.complete) return false;
  return reply.getHeader("connection") === "close" || !reply.raw.shouldKeepAlive;
}

async function* answerFirst(answer: Buffer, body: IncomingMessage, limits: DrainLimits) {
  yield answer;
  await drain(body, limits);
}

/** Resolves when the body has ended, its sender is gone, or a limit is reached. */
function drain(body: IncomingMessage, { sizeBytes, timeMs, idleMs }: DrainLimits): Promise<void> {
  return new Promise((resolve) => {
    let leftBytes = sizeBytes;
    const end = setTimeout(finish, timeMs);
    const idle = setTimeout(finish, idleMs);
    // A decoder of the body has stopped reading.
    body.unpipe();
    body.on("data", take).once("end", finish).once("close", finish).resume();
    if (body.closed) finish();

    function take(chunk: Buffer): void {
      leftBytes -= chunk.byteLength;
      idle.refresh();
      if (leftBytes < 0) finish();
    }
    function finish(): void {
      clearTimeout(end);
      clearTimeout(idle);
      body.off("data", take);
      resolve();
    }
  });
}
