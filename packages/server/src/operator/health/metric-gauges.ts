import { Gauge, type Registry } from "prom-client";

/** A figure that is read on request. */
export function addGauge(registry: Registry, name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** What autoscalers add processes for. While the database cannot be read, the other figures are reported as before. */
export function addDueJobs(
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
  // NOTE: in this order, as the first reads for both.
  for (const gauge of [due, longest]) registry.registerMetric(gauge);
}
