import type { FastifyReply } from "fastify";

import { ServiceError } from "../api/errors.ts";

/**
 * Returns a signal that aborts with SCRAPE_JOB_CANCELLED when the client disconnects before it gets its
 * response.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const look = () => {
    if (!raw.writableFinished) controller.abort(new ServiceError("SCRAPE_JOB_CANCELLED"));
  };
  raw.once("close", look);
  if (raw.closed) look();
  return controller.signal;
}
