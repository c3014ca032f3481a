import { expect, test } from "vitest";

import { openMetrics } from "./metrics.ts";

const idle = {
  fetching: () => 0,
  waiting: () => 0,
  limit: () => 8,
  dueJobs: async () => ({ count: 3, longestMs: 1500 }),
};
const request = { method: "POST", route: "/v2/scrape", status: 200, durationMs: 30 };

/** The figure of a name with labels; undefined when there is none. */
async function figure(metrics: ReturnType<typeof openMetrics>, name: string): Promise<number | undefined> {
  const { body } = await metrics.text();
  const line = body.split("\n").find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

test("are written as Prometheus reads them", async () => {
  const { body, contentType } = await openMetrics(idle).text();
  expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
  for (const line of body.split("\n").filter(Boolean)) {
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .*|\w+(?:\{.*\})? (?:[-+.e\d]+|[Nn]a[Nn]|\+Inf))$/);
  }
  expect(body).toContain("# TYPE process_cpu_seconds_total counter");
});

test("jobs that wait are told, and a database that cannot be read costs only them", async () => {
  expect(await figure(openMetrics(idle), "pergamon_jobs_due")).toBe(3);
  expect(await figure(openMetrics(idle), "pergamon_jobs_wait_seconds")).toBe(1.5);
  const cutOff = openMetrics({ ...idle, dueJobs: () => Promise.reject(new Error("no database")) });
  expect(await figure(cutOff, "pergamon_jobs_due")).toBeNaN();
  expect(await figure(cutOff, "pergamon_pages_limit")).toBe(8);
});

test("requests are counted and timed, in seconds, by method, route and status", async () => {
  const metrics = openMetrics(idle);
  metrics.observeRequest(request);
  metrics.observeRequest({ ...request, durationMs: 700 });
  metrics.observeRequest({ ...request, status: 408, durationMs: 1000 });
  const name = "pergamon_http_request_duration_seconds";
  const labels = 'method="POST",route="/v2/scrape",status="200"';
  expect(await figure(metrics, `${name}_count{${labels}}`)).toBe(2);
  expect(await figure(metrics, `${name}_sum{${labels}}`)).toBeCloseTo(0.73);
  expect(await figure(metrics, `${name}_bucket{le="0.1",${labels}}`)).toBe(1);
  expect(await figure(metrics, `${name}_bucket{le="1",${labels}}`)).toBe(2);
  expect(await figure(metrics, `${name}_count{method="POST",route="/v2/scrape",status="408"}`)).toBe(1);
});

test("scrapes are counted by result and cache", async () => {
  const metrics = openMetrics(idle);
  for (const cacheState of ["hit", "miss", "hit"]) metrics.countScrape({ result: "ok", cacheState });
  metrics.countScrape({ cacheState: "none", result: "SCRAPE_TIMEOUT" });
  expect(await figure(metrics, 'pergamon_scrapes_total{result="ok",cache="hit"}')).toBe(2);
  expect(await figure(metrics, 'pergamon_scrapes_total{result="ok",cache="miss"}')).toBe(1);
  expect(await figure(metrics, 'pergamon_scrapes_total{result="SCRAPE_TIMEOUT",cache="none"}')).toBe(1);
});

test("pauses are counted by cause, and the longest of each is kept", async () => {
  const metrics = openMetrics(idle);
  for (const durationMs of [150, 400, 30]) metrics.observePause({ cause: "cdp", durationMs });
  metrics.observePause({ cause: "other", durationMs: 60 });
  const name = "pergamon_event_loop_pause_seconds";
  expect(await figure(metrics, `${name}_count{cause="cdp"}`)).toBe(3);
  expect(await figure(metrics, `${name}_bucket{le="0.2",cause="cdp"}`)).toBe(2);
  expect(await figure(metrics, 'pergamon_event_loop_longest_pause_seconds{cause="cdp"}')).toBe(0.4);
  expect(await figure(metrics, 'pergamon_event_loop_longest_pause_seconds{cause="other"}')).toBe(0.06);
});

test("gauges are read when somebody asks", async () => {
  let fetching = 3;
  const metrics = openMetrics({ ...idle, fetching: () => fetching, waiting: () => fetching * 2 });
  expect(await figure(metrics, "pergamon_pages_fetching")).toBe(3);
  fetching = 5;
  expect(await figure(metrics, "pergamon_pages_fetching")).toBe(5);
  expect(await figure(metrics, "pergamon_pages_waiting")).toBe(10);
});

test("two services in one process do not count together", async () => {
  const [one, other] = [openMetrics(idle), openMetrics(idle)];
  one.countScrape({ result: "ok", cacheState: "hit" });
  expect(await figure(other, 'pergamon_scrapes_total{result="ok",cache="hit"}')).toBeUndefined();
});
