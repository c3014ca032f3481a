import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** How many bytes of an unwanted body are read, so that its sender receives the response. */
export interface DrainLimits {
  readonly sizeBytes: number;
  /** From the answer on. */
  readonly timeMs: number;
  /** Without a byte. */
  readonly idleMs: number;
}

/**
 * A connection that closes while its client still sends is reset, and the answer is lost with it. So an answer that ends
 * the connection before the body has come goes out as a whole, and the rest of the body is thrown away before the end.
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

/** Resolves when the body is over, its sender is gone, or a limit is reached. */
function drain(body: IncomingMessage, { sizeBytes, timeMs, idleMs }: DrainLimits): Promise<void> {
  return new Promise((resolve) => {
    let leftBytes = sizeBytes;
    const end = setTimeout(finish, timeMs);
    const idle = setTimeout(finish, idleMs);
    // A decoder of the body has seen enough.
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
