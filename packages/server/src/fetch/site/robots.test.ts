import { beforeEach, describe, expect, test } from "vitest";

import { openSite, type Site } from "../../../../../test/site.ts";
import { useSharedWorld } from "../../../../../test/use-world.ts";
import { callerOf } from "../../accounts/callers.ts";
import { ManualClock } from "../../storage/clock/manual-clock.suite.ts";
import { startJob } from "../../scrape/request/job.ts";
import { CRAWL_PATIENCE_MS, parseRobots, Robots, RobotsUnreachable } from "./robots.ts";

function allows(text: string, place: string): boolean {
  return parseRobots(Buffer.from(text), "Pergamon").allows(new URL(place, "http://site.test"));
}

const anybody = (...rules: readonly string[]) => ["User-agent: *", ...rules].join("\n");

test.each([
  ["nothing said", "", "/x", true],
  ["everything", anybody("Disallow: /"), "/x", false],
  ["an empty rule", anybody("Disallow:"), "/x", true],
  ["a folder", anybody("Disallow: /a/"), "/a/b?c", false],
  ["beside the folder", anybody("Disallow: /a/"), "/ab", true],
  ["the longer rule", anybody("Disallow: /a", "Allow: /a/b"), "/a/b/c", true],
  ["the longer rule, first", anybody("Allow: /a", "Disallow: /a/b"), "/a/b/c", false],
  ["equal rules", anybody("Disallow: /a", "Allow: /a"), "/a", true],
  ["a wildcard", anybody("Disallow: /*/private"), "/x/y/private/z", false],
  ["an end", anybody("Disallow: /*.pdf$"), "/x.pdf", false],
  ["more than the end", anybody("Disallow: /*.pdf$"), "/x.pdf?download", true],
  ["an end without wildcard", anybody("Disallow: /x$"), "/xy", true],
  ["a query", anybody("Disallow: /*?session="), "/a?session=1", false],
  ["an overlap", anybody("Disallow: /ab*ba$"), "/aba", true],
  ["another alphabet", anybody("Disallow: /bücher"), "/b%c3%bccher", false],
  ["an encoded letter", anybody("Disallow: /%7euser/%61"), "/~user/a", false],
  ["a letter that the URL encodes", anybody("Disallow: /a-b"), "/a%2Db", false],
  ["an encoded slash", anybody("Disallow: /a%2fb"), "/a/b", true],
  ["what URLs encode", anybody("Disallow: /{x}"), "/{x}", false],
  ["an encoded star", anybody("Disallow: /a%2A"), "/ab", true],
  ["a star of the URL", anybody("Disallow: /a%2A.html"), "/a*.html", false],
  ["a star of the URL, escaped", anybody("Disallow: /a%2A.html"), "/a%2a.html", false],
  ["a dollar of the URL", anybody("Disallow: /cost-%24"), "/cost-$.html", false],
  ["an end, and a dollar of the URL", anybody("Disallow: /cost-$"), "/cost-$", true],
  ["a wildcard over a star of the URL", anybody("Disallow: /a*c"), "/a*c", false],
  ["named with no rules", "User-agent: *\nDisallow: /\n\nUser-agent: pergamon", "/x", true],
  ["robots.txt itself", anybody("Disallow: /"), "/robots.txt", true],
  ["a mark for the order of bytes", "\uFEFFUser-agent: *\nDisallow: /", "/x", false],
  ["ends of lines of old", "User-agent: *\rDisallow: /a\rDisallow: /b", "/b", false],
  [
    "unknown lines within a list of names",
    "User-agent: pergamon\nHost: a\nUser-agent: x\nDisallow: /",
    "/x",
    false,
  ],
  ["comments, spaces and capitals", "USER-AGENT : *  # all\r\n  disallow:/x # no", "/x", false],
  ["another robot's group", "User-agent: other\nDisallow: /", "/x", true],
  ["our own group", "User-agent: *\nDisallow: /\n\nUser-agent: pergamon/1.0\nDisallow: /a", "/b", true],
  ["a shared group", "User-agent: other\nUser-agent: Pergamon\nDisallow: /a", "/a", false],
  [
    "two groups of ours",
    "User-agent: pergamon\nDisallow: /a\nUser-agent: pergamon\nDisallow: /b",
    "/b",
    false,
  ],
  ["lines of other kinds between", "User-agent: *\nSitemap: /s\nCrawl-delay: 3\nDisallow: /a", "/a", false],
  ["rules before any robot", "Disallow: /", "/x", true],
  ["what is no robots.txt", "<html><body>User-agent: nothing</body></html>", "/x", true],
])("%s", (_name, text, place, isAllowed) => {
  expect(allows(text, place)).toBe(isAllowed);
});

test("a rule made to take long does not", () => {
  const rule = `Disallow: /${"*a".repeat(2_000)}b$`;
  expect(allows(anybody(rule), `/${"a".repeat(16_000)}`)).toBe(true);
});

test.each([
  ["for any robot", anybody("Disallow: /a", "Crawl-delay: 3"), 3000],
  ["with decimals, before the rules", anybody("Crawl-delay: 0.4", "Disallow: /a"), 400],
  ["more than a minute", anybody("Crawl-delay: 3600"), 60_000],
  ["of another robot", "User-agent: other\nCrawl-delay: 9", 0],
  ["its own", "User-agent: *\nCrawl-delay: 9\nDisallow: /a\nUser-agent: pergamon\nCrawl-delay: 2", 2000],
  ["none of its own", "User-agent: *\nCrawl-delay: 9\nDisallow: /a\nUser-agent: pergamon\nDisallow: /", 0],
  ["no number", anybody("Crawl-delay: soon"), 0],
  ["less than nothing", anybody("Crawl-delay: -1"), 0],
])("a delay %s", (_name, text, delayMs) => {
  expect(parseRobots(Buffer.from(text), "Pergamon").crawlDelayMs).toBe(delayMs);
});

test("sitemaps are told whatever group they are in", () => {
  const text =
    "Sitemap: http://site.test/a.xml # main\nUser-agent: other\nSITEMAP:/b.xml\nDisallow: /\nSitemap:\n";
  expect(parseRobots(Buffer.from(text), "Pergamon").sitemaps).toEqual(["http://site.test/a.xml", "/b.xml"]);
});

test("UTF-16 is read where a mark says so, and the name of a robot may have a version", () => {
  const text = Buffer.from("\uFEFFUser-agent: pergamon\nDisallow: /bücher", "utf16le");
  for (const file of [text, Buffer.from(text).swap16()]) {
    expect(parseRobots(file, "Pergamon/2.0").allows(new URL("http://site.test/bücher"))).toBe(false);
  }
});

describe("rules of a site", () => {
  const { signal } = new AbortController();
  const order = () => ({ job, asker: "crawl", patienceMs: CRAWL_PATIENCE_MS });
  const world = useSharedWorld();
  let site: Site;
  let clock: ManualClock;
  let robots: Robots;
  let job: ReturnType<typeof startJob>;
  let origin: string;
  let answers: readonly number[];

  beforeEach(async () => {
    site = await openSite();
    origin = new URL(site.url("/")).origin;
    clock = new ManualClock(Date.now());
    robots = new Robots(world.app.services, "Pergamon", clock);
    const caller = callerOf(world.app.team);
    job = startJob(world.app.services.plan({ url: site.url("/"), storeInCache: false }), {
      caller,
      linkBase: "",
    });
    site.page("/robots.txt", (_request, response) => {
      const status = answers[Math.min(site.hits("/robots.txt").length, answers.length) - 1] ?? 200;
      response.writeHead(status, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /closed");
    });
    return () => site.close();
  });

  const closed = () => new URL("/closed", origin);
  const asked = () => site.hits("/robots.txt").length;

  /** Lets the time of the pauses pass until the work has ended. */
  async function waiting<Result>(work: Promise<Result>): Promise<Result> {
    const state = { isOver: false };
    work.catch(() => undefined).finally(() => (state.isOver = true));
    while (!state.isOver) {
      if (clock.timers > 0) await clock.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work;
  }

  test.each([
    [200, false],
    [403, true],
    [429, true],
  ])("are told by status %i", async (status, isAllowed) => {
    answers = [status];
    expect((await robots.rulesOf(origin, order(), signal)).allows(closed())).toBe(isAllowed);
    expect(asked()).toBe(1);
  });

  test("are asked for again while the site fails", async () => {
    answers = [503, 500, 200];
    expect((await waiting(robots.rulesOf(origin, order(), signal))).allows(closed())).toBe(false);
    expect(asked()).toBe(3);
  });

  test("are unreachable after five minutes, and are not asked for then for a while", async () => {
    answers = [503];
    await expect(waiting(robots.rulesOf(origin, order(), signal))).rejects.toThrow(RobotsUnreachable);
    const before = asked();
    expect(before).toBeGreaterThan(4);
    await expect(robots.rulesOf(origin, order(), signal)).rejects.toThrow(RobotsUnreachable);
    expect(asked()).toBe(before);
  });

  test("are unreachable at once for those without patience, who ask anew", async () => {
    answers = [503, 200];
    await expect(robots.refuse(job, signal)).rejects.toMatchObject({ code: "SAFE_MODE_BLOCKED" });
    await expect(robots.refuse(job, signal)).resolves.toBeUndefined();
  });

  test("hold on while the site fails later", async () => {
    answers = [200, 503];
    await robots.rulesOf(origin, order(), signal);
    await clock.advance(2 * 60 * 60_000);
    expect(robots.known(origin, "crawl")).toBeUndefined();
    expect((await robots.rulesOf(origin, order(), signal)).allows(closed())).toBe(false);
    expect(asked()).toBe(2);
  });

  test("are those of the place that up to five redirects lead to", async () => {
    for (const hop of [1, 2, 3, 4, 5, 6]) {
      const location = hop === 6 ? "/rules.txt" : `/${hop + 1}.txt`;
      site.page(`/${hop}.txt`, (_request, response) => response.writeHead(302, { location }).end());
    }
    site.page("/rules.txt", (_request, response) =>
      response.setHeader("content-type", "text/plain").end("User-agent: *\nDisallow: /closed"),
    );
    const allowsAfter = async (location: string) => {
      site.page("/robots.txt", (_request, response) => response.writeHead(302, { location }).end());
      const asking = { ...order(), asker: location };
      return (await robots.rulesOf(origin, asking, signal)).allows(closed());
    };
    expect(await allowsAfter("/3.txt")).toBe(false);
    expect(await allowsAfter("/2.txt")).toBe(true);
  });

  test("stop being asked for when nobody waits any more", async () => {
    answers = [503];
    const gone = new AbortController();
    const rules = robots.rulesOf(origin, order(), gone.signal);
    while (clock.timers === 0) await new Promise((resolve) => setImmediate(resolve));
    gone.abort(new Error("gone"));
    await expect(rules).rejects.toThrow("gone");
    expect(clock.timers).toBe(0);
  });
});
