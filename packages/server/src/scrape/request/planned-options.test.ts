import { describe, expect, test } from "vitest";

import { callerWith, requestFor } from "../scrape.suite.ts";
import { startJob } from "./job.ts";
import { planScrape } from "./plan.ts";
import { planForAll } from "./planned-options.ts";
import { type ScrapeOptions, scrapeOptionsSchema } from "./schema.ts";

const schema = scrapeOptionsSchema();

function planned(body: object, changes: Partial<ScrapeOptions> = {}) {
  return planForAll({ ...schema.parse(body), ...changes }, body);
}

const BODIES: readonly object[] = [
  {},
  { formats: ["links", "screenshot"], onlyMainContent: false },
  { headers: { cookie: "a=1" }, mobile: true, waitFor: 100 },
  { maxAge: 0, timeout: 5000 },
  { minAge: 5000, location: { country: "de" } },
  { lockdown: true },
  { parsers: [] },
];
const URLS = [
  "http://site.test/",
  "https://www.site.test:443/a/index.html?b=1#c",
  "https://ada:secret@site.test/private",
  "https://docs.google.com/document/d/1234567890abc/edit",
];

describe("options that are planned once", () => {
  const cases = BODIES.flatMap((body) => URLS.map((url) => [body, url] as const));

  test.each(cases)("%j say of %s what a request with both would", (body, url) => {
    expect(planned(body).for(url).plan).toEqual(planScrape(requestFor({ ...body, url })));
    expect(planned(body).for(url).request).toEqual(requestFor({ ...body, url }));
  });

  test("are shared by all addresses, and so are their parts", () => {
    const all = planned({ formats: ["links"] });
    const [one, other] = [all.for("http://a.test/"), all.for("http://b.test/")];
    expect(one.plan.formats).toBe(other.plan.formats);
    expect(one.plan.recipe).toBe(other.plan.recipe);
    expect(one.plan.cache.key.url).not.toBe(other.plan.cache.key.url);
  });

  test("leave out what nothing may be kept of, where nothing may be kept", () => {
    const all = planned({ formats: ["markdown", "changeTracking"] }, { zeroDataRetention: true });
    const order = { caller: callerWith({ flags: { zeroDataRetention: "allowed" } }), linkBase: "" };
    const job = startJob(all.for("http://a.test/"), order);
    expect([job.retention, job.plan.formats.map(({ name }) => name)]).toEqual(["none", ["markdown"]]);
    expect(job.plan.warnings).toHaveLength(1);
    expect(job.plan.cache.mayWrite).toBe(false);
  });

  test("are kept for operators with each address, without secrets", () => {
    const kept = planned({ headers: { cookie: "a=1" } })
      .for("http://a.test/x")
      .kept?.();
    expect(JSON.parse(kept ?? "")).toEqual({
      body: { headers: { cookie: "***" }, url: "http://a.test/x" },
      masked: ["headers.cookie"],
    });
  });
});

test.each([{ url: "http://a.test/" }, { zeroDataRetention: true }, { toolDetail: "full" }, { waitFor: -1 }])(
  "%j are no options of a job's pages",
  (body) => {
    expect(schema.safeParse(body).success).toBe(false);
  },
);
