import type { FastifyInstance, FastifyRequest } from "fastify";

import { NotFoundError, ServiceError } from "../../contract/errors.ts";
import { InteractRequest } from "../../contract/interact.ts";
import { isUuid } from "../../kit/uuid.ts";
import { notAvailable } from "../../scrape/request/not-implemented.ts";
import type { Records } from "../../stores/scrapes/records.ts";

interface WithId {
  Params: { id: string };
}

/** Sessions on a scraped page (contract, section 3.32): checked and looked for, then refused, as there are none yet. */
export function addInteractRoutes(app: FastifyInstance, records: Records): void {
  const path = "/v2/scrape/:id/interact";
  const config = { endpoint: "interact" } as const;

  app.post<WithId>(path, { config }, async (request) => {
    refuseOtherIds(request.params.id);
    InteractRequest.parse(request.body);
    if (!(await isOwnScrape(request, records))) throw new NotFoundError("Job not found.");
    throw notAvailable("Interacting with a scraped page");
  });

  app.delete<WithId>(path, { config }, async (request) => {
    refuseOtherIds(request.params.id);
    if (!(await isOwnScrape(request, records))) throw new NotFoundError("Browser session not found.");
    throw notAvailable("Interacting with a scraped page");
  });
}

function refuseOtherIds(id: string): void {
  if (isUuid(id)) return;
  throw new ServiceError("BAD_REQUEST", { message: "Invalid job ID format. Job ID must be a valid UUID." });
}

async function isOwnScrape({ params, caller }: FastifyRequest<WithId>, records: Records): Promise<boolean> {
  const found = await records.get(params.id);
  return found !== undefined && !found.isExpired && found.teamId === caller.teamId;
}
