import type { RequestListener } from "node:http";

/** Requests that are begun before other work has its turn: some 2 ms of work, most of it after they have begun. */
const TURN_REQUESTS = 8;

/**
 * A client can send hundreds of requests at once on one connection, and Node would begin all of them in one
 * turn. Those that follow one whose response has not ended are begun a few per turn.
 */
export function beginInTurns(handler: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  const beginSome = () => {
    // A destroyed request is one whose client has left.
    for (const [request, response] of waiting.splice(0, TURN_REQUESTS))
      if (!request.destroyed) handler(request, response);
    if (waiting.length > 0) setImmediate(beginSome);
  };
  return (request, response) => {
    // Responses have the connection one after another.
    if (response.socket) return handler(request, response);
    if (waiting.push([request, response]) === 1) setImmediate(beginSome);
  };
}
