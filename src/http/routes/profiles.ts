import type { FastifyInstance } from "fastify";

import type { Profiles } from "../../profiles/profiles.ts";

/** The team's named browser storage: what there is, and its deletion. */
export function addProfileRoutes(app: FastifyInstance, profiles: Profiles): void {
  app.get("/v2/browser/profiles", async ({ caller }) => {
    const found = await profiles.list(caller.teamId);
    return {
      success: true,
      profiles: found.map(({ name, sizeBytes, createdAtMs, savedAtMs, isLocked }) => ({
        name,
        sizeBytes,
        createdAt: new Date(createdAtMs).toISOString(),
        savedAt: savedAtMs === undefined ? null : new Date(savedAtMs).toISOString(),
        isLocked,
      })),
    };
  });

  app.delete<{ Params: { name: string } }>("/v2/browser/profiles/:name", async ({ params, caller }) => {
    await profiles.delete({ teamId: caller.teamId, name: params.name });
    return { success: true };
  });
}
