import type { FastifyInstance } from "fastify";

/** What clients of the public service ask to find out what they speak to (contract, section 6.1). */
export function addProbeRoutes(app: FastifyInstance, isProduction: boolean): void {
  app.get("/e2e-test", async (_request, reply) => reply.type("text/plain; charset=utf-8").send("OK"));
  app.get("/is-production", async () => ({ isProduction }));
}
