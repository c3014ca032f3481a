import { describe, expect, test, vi } from "vitest";
import { ZodError } from "zod";

import { NO_POLICY } from "../../accounts/threat-policy.ts";
import { callerWith } from "../scrape.suite.ts";
import { openBlockedSites } from "./blocked-sites.ts";
import { openPlanner, startJob } from "./job.ts";
import { scrapeRequestSchema } from "./schema.ts";

const url = "http://site.test/";
const planner = (...blocked: string[]) =>
  openPlanner(
    scrapeRequestSchema(() => true),
    openBlockedSites(blocked),
  );
const plan = planner();

describe("a planner", () => {
  test("plans a body once, the very same object", () => {
    const body = { url };
    expect(plan(body)).toBe(plan(body));
    expect(plan({ url })).not.toBe(plan(body));
    const { request, plan: decisions } = plan(body);
    expect(plan({ url })).toMatchObject({ request, plan: decisions });
  });

  test("reads the body once, too", () => {
    const schema = scrapeRequestSchema(() => true);
    const parse = vi.spyOn(schema, "parse");
    const planOnce = openPlanner(schema, openBlockedSites([]));
    const body = { url };
    planOnce(body);
    planOnce(body);
    expect(parse).toHaveBeenCalledTimes(1);
  });

  test.each([undefined, null, 1, "x", [], {}, { url: 1 }, { url: "ftp://a.test" }])(
    "%j is no request",
    (body) => {
      expect(() => plan(body)).toThrow(ZodError);
    },
  );

  test("tells of a blocked site before it tells what is wrong with the body", () => {
    const planBlocked = planner("blocked.test");
    const code = { code: "UNSUPPORTED_SITE" };
    for (const target of ["blocked.test", "https://www.BLOCKED.test/x", "http://ann:pw@blocked.test./"]) {
      expect(() => planBlocked({ url: target, wrong: true })).toThrow(expect.objectContaining(code));
    }
    expect(() => planBlocked({ url: "http://notblocked.test/" })).not.toThrow();
    expect(() => planBlocked({ url: 1 })).toThrow(ZodError);
  });

  test.each([{ zeroDataRetention: true }, { lockdown: true }])(
    "does not mind what would be left out anyway: %j",
    (options) => {
      const wishes = { formats: ["markdown", "json"], onlyCleanContent: true };
      expect(plan({ url, ...wishes, ...options }).request.formats).toHaveLength(2);
    },
  );
});

describe("a job", () => {
  const jobFor = (options: object, team = {}) =>
    startJob(plan({ url, ...options }), { caller: callerWith(team), linkBase: "http://here" });

  test("has an id of its own, unless it is given one", () => {
    expect(jobFor({}).id).not.toBe(jobFor({}).id);
    const order = { caller: callerWith(), linkBase: "", id: "given" };
    expect(startJob(plan({ url }), order).id).toBe("given");
  });

  test("that may leave something has the plan of its body", () => {
    const planned = plan({ url });
    expect(startJob(planned, { caller: callerWith(), linkBase: "" }).plan).toBe(planned.plan);
  });

  test("that may leave nothing has another plan, with the sentences of what is left out", () => {
    const job = jobFor({ zeroDataRetention: true, formats: ["markdown", "summary"] });
    expect(job.retention).toBe("none");
    expect(job.plan.formats.map(({ name }) => name)).toEqual(["markdown"]);
    expect(job.plan.cache.mayWrite).toBe(false);
    expect(job.plan.warnings).toEqual(["Summary mode is not supported with zero data retention."]);
    expect(jobFor({}, { flags: { zeroDataRetention: "forced" } }).retention).toBe("none");
  });

  test("is refused what the caller may not have, but what the lists block is left to the scrape", () => {
    const team = { flags: { zeroDataRetention: "off" } } as const;
    expect(() => jobFor({ zeroDataRetention: true }, team)).toThrow(
      "Zero Data Retention (ZDR) is not enabled",
    );
    const threatPolicy = { ...NO_POLICY, mode: "normal", blacklist: ["site.test"] } as const;
    const blocked = jobFor({ zeroDataRetention: true }, { ...team, threatPolicy });
    expect(blocked.threatPolicy).toMatchObject({ blacklist: ["site.test"] });
  });

  test("is checked against the team's policy, changed by the request's", () => {
    expect(jobFor({}).threatPolicy).toBeUndefined();
    expect(jobFor({ threatProtection: { blacklist: ["a.test"] } }).threatPolicy).toMatchObject({
      mode: "manual-only",
      blacklist: ["a.test"],
    });
  });
});
