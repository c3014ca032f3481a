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
  const duration = new Histogram({
    name: "pergamon_http_request_duration_seconds",
    help: "Time from request to response.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const scrapes = new Counter({
    name: "pergamon_scrapes_total",
    help: "Scrapes by result (ok, blocked: and its kind, or error code) and cache state.",
    labelNames: ["result", "cache"],
    registers,
  });
  const tokens = new Counter({
    name: "pergamon_model_tokens_total",
    help: "Tokens that language models have consumed (input) and produced (output).",
    labelNames: ["model", "direction"],
    registers,
  });
  const durationOf = remember((labels: DurationLabels) => duration.labels(labels));
  const scrapesOf = remember((labels: ScrapeLabels) => scrapes.labels(labels));
  addGauge(registry, "pergamon_pages_fetching", "Pages being fetched now.", gauges.fetching);
  addGauge(registry, "pergamon_pages_waiting", "Pages waiting for a slot to be fetched.", gauges.waiting);
  const { limit, dueJobs } = gauges;
  if (limit) addGauge(registry, "pergamon_pages_limit", "Pages that can be fetched at once.", limit);
  if (dueJobs) addDueJobs(registry, dueJobs);
  if (gauges.parts) partGauge(registers, gauges.parts);

  return {
    observeRequest: ({ method, route, status, durationMs }) =>
      durationOf({ method, route, status }).observe(durationMs / 1000),
    countScrape: ({ result, cacheState }) => scrapesOf({ result, cache: cacheState }).inc(),
    countTokens(model, use) {
      for (const direction of ["input", "output"] as const) tokens.inc({ model, direction }, use[direction]);
    },
    observePause: openPauses(registry),
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
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

/** Caches the counter of each label combination, because looking it up costs more than counting. */
function remember<Named extends Labels, Child>(make: (labels: Named) => Child): (labels: Named) => Child {
  const children = new Map<string, Child>();
  return (labels) => {
    const name = Object.values(labels).join(" ");
    const known = children.get(name);
    if (known) return known;
    const child = make(labels);
    children.set(name, child);
    return child;
  };
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
