import { ALLOWS_ALL, parseRobots, type RobotsRules } from "../../crawl-rules/robots.ts";
import { readSiteFile, type SiteFileOrder, type SiteFileServices } from "./site-files.ts";

/** As much is read of robots.txt as RFC 9309 has every robot read. */
const MAX_ROBOTS_BYTES = 500 * 1024;
/** More is not fetched at all. */
const MAX_FETCHED_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export interface RobotsOrder extends Pick<SiteFileOrder, "job"> {
  /** Whose rules are looked for. */
  readonly agent: string;
  /** Whether the request names that agent, too. */
  readonly isNamed: boolean;
  readonly ignoresCache?: boolean;
}

/**
 * What a site lets robots visit. A site without the file, or that does not answer, allows everything: as the public
 * service has it (families, section 4.6), where RFC 9309 would visit nothing while a site fails.
 */
export async function readRobots(
  origin: string,
  { job, agent, isNamed, ignoresCache = false }: RobotsOrder,
  services: SiteFileServices,
  signal: AbortSignal,
): Promise<RobotsRules> {
  const order = {
    job,
    maxBytes: MAX_FETCHED_BYTES,
    timeoutMs: TIMEOUT_MS,
    maxAgeMs: ignoresCache ? 0 : MAX_AGE_MS,
    userAgent: isNamed ? agent : undefined,
  };
  const file = await readSiteFile(`${origin}/robots.txt`, order, services, signal);
  if (!file || file.statusCode < 200 || file.statusCode > 299) return ALLOWS_ALL;
  return parseRobots(Buffer.from(file.body.subarray(0, MAX_ROBOTS_BYTES)).toString("utf8"), agent);
}
