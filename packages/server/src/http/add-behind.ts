import type { FastifyInstance, FastifyRequest } from "fastify";

/** Lets a request pass. @throws UnauthorizedError or ForbiddenError. */
export type Door = (request: FastifyRequest) => Promise<void>;

/** Adds routes behind an access check, which runs before a body is read. */
export function addBehind(
  door: Door,
  app: FastifyInstance,
  addRoutes: (scope: FastifyInstance) => void,
): void {
  void app.register(async (scope) => {
    scope.addHook("onRequest", door);
    addRoutes(scope);
  });
}
