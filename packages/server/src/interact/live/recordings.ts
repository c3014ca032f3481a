import type { FastifyInstance } from "fastify";

import { ServiceError } from "../../api/errors.ts";
import type { Interact } from "../interact.ts";

const NO_RECORDINGS =
  "Browser sessions are not recorded, so there is nothing to replay. Watch a session while it runs: its liveViewUrl shows it.";

/**
 * Routes of recordings, which clients request but this service does not keep. They always fail, so the
 * reference does not list them.
 * @param load loads the sessions with the first call
 */
export function addRecordingRoutes(app: FastifyInstance, load: () => Promise<Interact>): void {
  for (const family of ["browser", "interact"]) {
    for (const part of ["", "/:page"]) {
      app.get<{ Params: { id: string } }>(
        `/v2/${family}/:id/replay${part}`,
        { config: { endpoint: "interact" } },
        async ({ params, caller }) => {
          const { sessions } = await load();
          await sessions.status(params.id, caller);
          throw new ServiceError("NOT_IMPLEMENTED", { message: NO_RECORDINGS });
        },
      );
    }
  }
}
