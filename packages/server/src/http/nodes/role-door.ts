import type { FastifyInstance } from "fastify";

import { refuseUpgrade, type Upgrades } from "../upgrades.ts";
import { isPassedOn } from "../passing.ts";

/** Paths that every node answers, for load balancers and monitoring. */
const OF_EVERY_NODE: ReadonlySet<string> = new Set([
  "/healthz",
  "/readyz",
  "/metrics",
  "/v0/health/liveness",
  "/v0/health/readiness",
]);

/**
 * Refuses calls to a node without the role `api`, before their body is read. Forwarded calls are answered.
 */
export function refuseCalls(app: FastifyInstance, roles: Iterable<string>): void {
  const error = `This node has only the roles ${[...roles].join(", ")} and answers no calls. Send them to a node with the role api.`;
  app.addHook("onRequest", (request, reply, done) => {
    const [path = ""] = request.url.split("?");
    if (OF_EVERY_NODE.has(path) || isPassedOn(request.raw)) return done();
    reply.code(503).send({ success: false, error });
  });
}

/** Refuses WebSockets likewise. */
export function refuseUpgrades(upgrades: Upgrades): Upgrades {
  return {
    ...upgrades,
    take(request, socket, head) {
      if (isPassedOn(request)) upgrades.take(request, socket, head);
      else refuseUpgrade(socket, 503);
    },
  };
}
