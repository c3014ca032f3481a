interface RateClass {
  /** Requests of the class that a team may send per minute, computed from its rate. */
  readonly limitOf: (requestsPerMinute: number) => number;
  /** True when the requests start new work, which is refused while the process has no room. */
  readonly isWork: boolean;
}

const work: RateClass = { limitOf: (rate) => rate, isWork: true };
/** Starts many pieces of work at once. */
const job: RateClass = { limitOf: (rate) => Math.ceil(rate / 5), isWork: true };
/** Status requests are cheap. */
const status: RateClass = { limitOf: (rate) => rate * 50, isWork: false };

/** Requests of one class are counted together (contract, sections 5.2 and, for jobs, 1.8 of the families). */
export const rateClasses = {
  scrape: work,
  map: work,
  search: work,
  crawl: job,
  agent: job,
  session: { limitOf: (rate) => Math.max(1, Math.floor(rate / 5)), isWork: false },
  status,
  crawlStatus: status,
  agentStatus: status,
} as const satisfies Readonly<Record<string, RateClass>>;

export type RateClassName = keyof typeof rateClasses;
