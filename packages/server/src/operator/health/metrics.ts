import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import type { LoopPause, WorkCause } from "@pergamon-dev/kit/loop/loop-pauses";

/** Metrics of the process for Prometheus. Labels are bounded: they contain no URL, key or team. */
export interface Metrics {
  observeRequest(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly durationMs: number;
  }): void;
  countScrape(outcome: { readonly result: string; readonly cacheState: string }): void;
  /** @param model name from the operator's settings. */
  countTokens(model: string, use: { readonly input: number; readonly output: number }): void;
  /** Records a time in which the event loop was blocked. */
  observePause(pause: LoopPause): void;
  /** The metrics in the text format of Prometheus, with their content type. */
  text(): Promise<{ readonly body: string; readonly contentType: string }>;
}

/** Values that are read with each scrape of the metrics. */
interface Gauges {
  readonly fetching: () => number;
  readonly waiting: () => number;
  readonly limit?: () => number;
  /** Due jobs of all processes that wait. */
  readonly dueJobs?: () => Promise<{ readonly count: number; readonly longestMs: number }>;
  /** Parts that this process has used. */
  readonly parts?: () => readonly PartGauge[];
  /** Number of this process, when several share a port, so that its series are distinct. */
  readonly worker?: number | undefined;
}

const PAUSE_SECONDS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const SECONDS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function openMetrics(gauges: Gauges): Metrics {
  const registry = new Registry();
  if (gauges.worker !== undefined) registry.setDefaultLabels({ worker: String(gauges.worker) });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const observeRequest = openDurations(registry);
  const scrapes = new Tallies<ScrapeLabels, { count: number }>(() => ({ count: 0 }));
  const counted = new Counter({
    name: "pergamon_scrapes_total",
    help: "Scrapes by result (ok, blocked: and its kind, or error code) and cache state.",
    labelNames: ["result", "cache"],
    registers: [],
    collect() {
      this.reset();
      for (const { labels, tally } of scrapes.all) this.inc({ ...labels }, tally.count);
    },
  });
  registry.registerMetric(counted);
  const tokens = new Counter({
    name: "pergamon_model_tokens_total",
    help: "Tokens that language models have consumed (input) and produced (output).",
    labelNames: ["model", "direction"],
    registers,
  });
  addGauge(registry, "pergamon_pages_fetching", "Pages being fetched now.", gauges.fetching);
  addGauge(registry, "pergamon_pages_waiting", "Pages waiting for a slot to be fetched.", gauges.waiting);
  const { limit, dueJobs } = gauges;
  if (limit) addGauge(registry, "pergamon_pages_limit", "Pages that can be fetched at once.", limit);
  if (dueJobs) addDueJobs(registry, dueJobs);
  if (gauges.parts) partGauge(registers, gauges.parts);

  return {
    observeRequest,
    countScrape({ result, cacheState }) {
      scrapes.of({ result, cache: cacheState }).count += 1;
    },
    countTokens(model, use) {
      for (const direction of ["input", "output"] as const) tokens.inc({ model, direction }, use[direction]);
    },
    observePause: openPauses(registry),
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}

/** prom-client's own histogram looks labels and bucket up by text, which takes a cached answer a fortieth of its time. */
function openDurations(registry: Registry): Metrics["observeRequest"] {
  const name = "pergamon_http_request_duration_seconds";
  const tallies = new Tallies<DurationLabels, { readonly counts: number[]; sum: number }>(() => ({
    counts: Array.from({ length: SECONDS.length + 1 }, () => 0),
    sum: 0,
  }));
  const valuesOf = ({ labels, tally: { counts, sum } }: (typeof tallies)["all"][number]) => {
    let count = 0;
    const buckets = [...SECONDS, "+Inf"].map((le, at) => {
      count += counts[at] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  const described = { name, help: "Time from request to response.", type: "histogram" };
  const get = async () => ({ ...described, values: tallies.all.flatMap(valuesOf) });
  registry.registerMetric({ ...described, get } as unknown as Histogram);
  return ({ method, route, status, durationMs }) => {
    const seconds = durationMs / 1000;
    const tally = tallies.of({ method, route, status });
    const at = SECONDS.findIndex((end) => seconds <= end);
    const bucket = at < 0 ? SECONDS.length : at;
    tally.counts[bucket] = (tally.counts[bucket] ?? 0) + 1;
    tally.sum += seconds;
  };
}

interface PartGauge {
  readonly part: string;
  readonly target: string;
  readonly failuresInRow: number;
}

function partGauge(registers: Registry[], parts: () => readonly PartGauge[]): Gauge {
  return new Gauge({
    name: "pergamon_part_up",
    help: "Whether the last use of a part by this process succeeded (1) or failed (0).",
    labelNames: ["part", "target"],
    registers,
    collect() {
      for (const { part, target, failuresInRow } of parts())
        this.set({ part, target }, failuresInRow === 0 ? 1 : 0);
    },
  });
}

/** Times in which the event loop was blocked, by the work that blocked it. */
function openPauses(registry: Registry): Metrics["observePause"] {
  const registers = [registry];
  const pauses = new Histogram({
    name: "pergamon_event_loop_pause_seconds",
    help: "Event loop pauses of 20 ms or more, by cause.",
    labelNames: ["cause"],
    buckets: PAUSE_SECONDS,
    registers,
  });
  const longestPauses = new Map<WorkCause, number>();
  const longestPause = new Gauge({
    name: "pergamon_event_loop_longest_pause_seconds",
    help: "Longest event loop pause since the start, by cause.",
    labelNames: ["cause"],
    registers,
  });
  return ({ cause, durationMs }) => {
    const seconds = durationMs / 1000;
    pauses.observe({ cause }, seconds);
    if (seconds <= (longestPauses.get(cause) ?? 0)) return;
    longestPauses.set(cause, seconds);
    longestPause.set({ cause }, seconds);
  };
}

interface DurationLabels extends Labels {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

interface ScrapeLabels extends Labels {
  readonly result: string;
  readonly cache: string;
}

type Labels = Readonly<Record<string, string | number>>;

/** What is counted for each combination of labels. Most are those of the count before, because looking them up costs more than counting. */
class Tallies<Named extends Labels, Tally> {
  readonly #make: () => Tally;
  readonly #byName = new Map<string, { readonly labels: Named; readonly tally: Tally }>();
  #latest: { readonly labels: Named; readonly tally: Tally } | undefined;

  constructor(make: () => Tally) {
    this.#make = make;
  }

  get all(): readonly { readonly labels: Named; readonly tally: Tally }[] {
    return [...this.#byName.values()];
  }

  of(labels: Named): Tally {
    if (this.#latest && areEqual(this.#latest.labels, labels)) return this.#latest.tally;
    const name = Object.values(labels).join(" ");
    this.#latest = this.#byName.get(name) ?? { labels, tally: this.#make() };
    this.#byName.set(name, this.#latest);
    return this.#latest.tally;
  }
}

function areEqual<Named extends Labels>(one: Named, other: Named): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  return true;
}

/** A metric that is read on request. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/**
 * Autoscalers add processes by these metrics. While the database cannot be read, the other metrics are still
 * reported.
 */
function addDueJobs(
  registry: Registry,
  read: () => Promise<{ readonly count: number; readonly longestMs: number }>,
): void {
  let reading: ReturnType<typeof read> | undefined;
  const due = new Gauge({
    name: "pergamon_jobs_due",
    help: "Jobs of all processes that are due and wait, up to 10,000.",
    registers: [],
    async collect() {
      reading = read().catch(() => ({ count: Number.NaN, longestMs: Number.NaN }));
      this.set((await reading).count);
    },
  });
  const longest = new Gauge({
    name: "pergamon_jobs_wait_seconds",
    help: "How long the longest due job of all processes has waited.",
    registers: [],
    async collect() {
      const { longestMs = Number.NaN } = (await reading) ?? {};
      this.set(longestMs / 1000);
    },
  });
  // NOTE: keep this order, because the first gauge reads the values of both.
  for (const gauge of [due, longest]) registry.registerMetric(gauge);
}
