import type { FastifyInstance } from "fastify";

import type { Metrics } from "../metrics.ts";

/** A part of the service that can be asked whether it works. */
export interface Part {
  readonly name: string;
  /** @throws when the part does not work. */
  check(): Promise<void>;
}

/** A part that does not answer within this time does not work. */
const CHECK_TIMEOUT_MS = 2000;

/** The second name of each is that of the public service (contract, section 6.1). */
const LIVENESS = ["/healthz", "/v0/health/liveness"];
const READINESS = ["/readyz", "/v0/health/readiness"];

export function addHealthRoutes(app: FastifyInstance, parts: readonly Part[], metrics: Metrics): void {
  for (const path of LIVENESS) app.get(path, async () => ({ status: "ok" }));

  for (const path of READINESS) {
    app.get(path, async (_request, reply) => {
      const results = await Promise.all(parts.map(checkPart));
      const isReady = results.every(({ ok }) => ok);
      return reply
        .code(isReady ? 200 : 503)
        .send({ status: isReady ? "ready" : "not ready", parts: results });
    });
  }

  app.get("/metrics", async (_request, reply) => {
    const { body, contentType } = await metrics.text();
    return reply.type(contentType).send(body);
  });
}

async function checkPart({ name, check }: Part) {
  try {
    await withTimeout(check());
    return { name, ok: true };
  } catch (failure) {
    return { name, ok: false, error: failure instanceof Error ? failure.message : String(failure) };
  }
}

async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${CHECK_TIMEOUT_MS} ms.`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
