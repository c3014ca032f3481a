import type { FastifyReply } from "fastify";

import { ServiceError } from "../api/errors.ts";

/** A signal that aborts with SCRAPE_JOB_CANCELLED when the client goes away before it has its answer. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const look = () => {
    if (!raw.writableFinished) controller.abort(new ServiceError("SCRAPE_JOB_CANCELLED"));
  };
  raw.once("close", look);
  if (raw.closed) look();
  return controller.signal;
}
