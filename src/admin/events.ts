import type { FastifyInstance } from "fastify";

import { ServiceError } from "../contract/errors.ts";
import type { EventStream } from "./event-stream.ts";

const RETRY_AFTER_SECONDS = 30;

/** What happens, told as it happens. */
export function addEventsRoute(app: FastifyInstance, stream: EventStream): void {
  app.addHook("preClose", (done) => {
    stream.close();
    done();
  });

  const options = { exposeHeadRoute: false } as const;
  app.get("/admin/api/events", options, async ({ headers, operatorSession }, reply) => {
    if (stream.isFull) {
      const message = "Too many dashboards are open. Close some of them.";
      throw new ServiceError("OVERLOADED", { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const last = headers["last-event-id"];
    reply.hijack();
    stream.add(reply.raw, operatorSession?.id, Array.isArray(last) ? last[0] : last);
  });
}
