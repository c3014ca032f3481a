import { LRUCache } from "lru-cache";

import type { RobotsRules } from "../../crawl-rules/robots.ts";
import { SingleFlight } from "../../kit/single-flight.ts";
import type { SiteFileOrder, SiteFileServices } from "../site-files/site-files.ts";
import { readRobots } from "../site-files/site-robots.ts";
import type { CrawlOptions } from "./crawl-request.ts";
import type { KnownRobots } from "./crawl-scope.ts";

/** Rules that are held ready, of all crawls together. */
const REMEMBERED = 1000;

/** Who asks a site for its rules, for which crawl. */
export interface RobotsQuestion extends Pick<SiteFileOrder, "job"> {
  readonly runId: string;
  readonly options: CrawlOptions;
}

/** What robots.txt says to crawls. */
export class CrawlRobots {
  readonly #services: SiteFileServices;
  readonly #agent: string;
  readonly #known = new LRUCache<string, RobotsRules>({ max: REMEMBERED });
  readonly #asking = new SingleFlight<RobotsRules>();

  /** @param agent what this service is called in robots.txt. */
  constructor(services: SiteFileServices, agent: string) {
    this.#services = services;
    this.#agent = agent;
  }

  /** What a crawl knows already. */
  knownTo(runId: string): KnownRobots {
    return (origin) => this.#known.get(keyOf(runId, origin));
  }

  /** @throws the signal's reason, once it is aborted. */
  async rulesOf(
    origin: string,
    { runId, options, job }: RobotsQuestion,
    signal: AbortSignal,
  ): Promise<RobotsRules> {
    const key = keyOf(runId, origin);
    const known = this.#known.get(key);
    if (known) return known;
    const { robotsUserAgent } = options;
    const order = { job, agent: robotsUserAgent ?? this.#agent, isNamed: robotsUserAgent !== undefined };
    const rules = await this.#asking.join(key, signal, (shared) =>
      readRobots(origin, order, this.#services, shared),
    );
    this.#known.set(key, rules);
    return rules;
  }
}

function keyOf(runId: string, origin: string): string {
  return `${runId} ${origin}`;
}
