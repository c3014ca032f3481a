import type { FastifyReply } from "fastify";

import { ServiceError } from "../contract/errors.ts";

/** Aborts when nobody waits for the answer any more. */
export function viewerGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort(new ServiceError("SCRAPE_JOB_CANCELLED"));
  });
  return controller.signal;
}
