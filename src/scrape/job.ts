import { uuidV7 } from "../kit/uuid.ts";
import { refuseNotImplemented } from "./not-implemented.ts";
import { type Plan, planScrape } from "./plan.ts";
import type { ScrapeRequest } from "./request.ts";

/** Who scrapes. */
export interface Caller {
  readonly teamId: string;
  readonly keyId?: string;
}

/** One scrape on its way. */
export interface ScrapeJob {
  readonly id: string;
  readonly startedAtMs: number;
  readonly caller: Caller;
  readonly request: ScrapeRequest;
  readonly plan: Plan;
  /** What links to this service begin with, such as `https://scrape.test`. */
  readonly linkBase: string;
}

/**
 * The request, its plan and an id: everything decided before the network is touched.
 * @throws ServiceError NOT_IMPLEMENTED when the request asks for something that is not built yet.
 */
export function startJob(request: ScrapeRequest, caller: Caller, linkBase: string): ScrapeJob {
  refuseNotImplemented(request);
  return { id: uuidV7(), startedAtMs: Date.now(), caller, request, plan: planScrape(request), linkBase };
}
