import type { FastifyInstance } from "fastify";

import { livePage, livePolicy } from "./live-page.ts";
import { findAccess, type FindSession, nothingAt } from "./session-tokens.ts";

/**
 * Serves pages of live views. Anyone with the address may look: nobody can guess it, and it ends with its
 * session. The WebSockets at these addresses are in `live/session-sockets.ts`.
 */
export function addLiveRoutes(app: FastifyInstance, find: FindSession): void {
  app.get("/live/:token", (request, reply) => {
    const access = findAccess(find, request.url);
    if (!access) throw nothingAt(request.url);
    return reply
      .header("content-security-policy", livePolicy(request.headers.host))
      .header("cache-control", "no-store")
      .header("referrer-policy", "no-referrer")
      .header("x-content-type-options", "nosniff")
      .type("text/html; charset=utf-8")
      .send(livePage(access.interactive));
  });

  app.get("/cdp/:token", (request, reply) => {
    if (!findAccess(find, request.url)) throw nothingAt(request.url);
    const error = "Connect to this URL by WebSocket, as `chromium.connectOverCDP(cdpUrl)` does.";
    return reply.code(426).header("upgrade", "websocket").send({ success: false, error });
  });
}
