import { describe, expect, test } from "vitest";

import { type Attempt, type Engine, SCRIPTS } from "../engine.ts";
import { attemptOf, never } from "../visit.suite.ts";
import { type Answer, captureOf, engineOf, ladderOf, refusal, TEXT } from "./fallback.suite.ts";

describe("pages that send their visitors on", () => {
  const sendsTo = (url: string) => `<meta http-equiv="refresh" content="0; url=${url}">`;

  async function follow(
    pages: Readonly<Record<string, Answer>>,
    attempt = attemptOf(),
    offers: string[] = [],
  ) {
    const visited: Attempt[] = [];
    const answer = (asked: Attempt): Answer => {
      visited.push(asked);
      return pages[new URL(asked.visit.url).pathname] ?? refusal;
    };
    const fallback = ladderOf([engineOf("fetch", { answer, offers })]);
    const { capture } = await fallback.acquire(attempt.visit, never);
    return { capture, urls: visited.map(({ visit }) => visit.url), visited };
  }

  test("are followed, and the visit stays the one that was asked for", async () => {
    const { capture, urls } = await follow({ "/page": sendsTo("/next"), "/next": TEXT });
    expect(urls).toEqual(["http://site.test/page", "http://site.test/next"]);
    expect(capture).toMatchObject({ url: "http://site.test/next", requestedUrl: "http://site.test/page" });
  });

  test("R2 are trusted no more than the least of them", async () => {
    const unverified = { body: Buffer.from(sendsTo("/next")), hasUnverifiedTls: true };
    const { capture } = await follow({ "/page": unverified, "/next": { hasUnverifiedTls: false } });
    expect(capture.hasUnverifiedTls).toBe(true);
  });

  test("are followed three times", async () => {
    const pages = { "/page": sendsTo("/a"), "/a": sendsTo("/b"), "/b": sendsTo("/c"), "/c": sendsTo("/d") };
    expect((await follow(pages)).capture.url).toBe("http://site.test/c");
  });

  test.each(["/page", "mailto:me@site.test", "http://[", "javascript:go()"])(
    "are not followed to %s",
    async (target) => {
      expect((await follow({ "/page": sendsTo(target) })).urls).toHaveLength(1);
    },
  );

  test("are taken as they are when what follows fails", async () => {
    const { capture, urls } = await follow({ "/page": sendsTo("/gone") });
    expect(urls).toHaveLength(2);
    expect(capture.url).toBe("http://site.test/page");
  });

  test("are left to an engine that goes there by itself", async () => {
    const { urls } = await follow({ "/page": sendsTo("/next"), "/next": TEXT }, attemptOf(), [SCRIPTS]);
    expect(urls).toHaveLength(1);
  });

  test("are found behind character references", async () => {
    const { urls } = await follow({ "/page": sendsTo("/next?a=1&amp;b=2"), "/next": TEXT });
    expect(urls.at(-1)).toBe("http://site.test/next?a=1&b=2");
  });

  describe("and set cookies", () => {
    async function enter(pages: Readonly<Record<string, string>>, system = "") {
      const seen: string[] = [];
      const engine: Engine = {
        ...engineOf("fetch"),
        async visit(attempt) {
          const { url } = attempt.visit;
          const cookies = attempt.cookies ?? [];
          seen.push(`${new URL(url).pathname} ${cookies.map(({ header }) => header).join("; ")}`.trim());
          const html = cookies.length > 0 && url.endsWith("/page") ? TEXT : pages[new URL(url).pathname];
          const capture = captureOf({ url, body: Buffer.from((html ?? TEXT) + system) }, attempt);
          return { capture, cookies: [...cookies, { url, header: `n=${seen.length}` }] };
        },
      };
      const { capture } = await ladderOf([engine]).acquire(attemptOf().visit, never);
      return { seen, text: Buffer.from(capture.body).toString() };
    }

    test("are followed with these, also to the same address", async () => {
      expect((await enter({ "/page": sendsTo("/next"), "/next": TEXT })).seen).toEqual([
        "/page",
        "/next n=1",
      ]);
      const same = await enter({ "/page": sendsTo("/page") });
      expect(same.seen).toEqual(["/page", "/page n=1"]);
      expect(same.text).toBe(TEXT);
    });

    test("end after three, however many cookies come", async () => {
      const pages = { "/page": sendsTo("/a"), "/a": sendsTo("/a") };
      expect((await enter(pages)).seen).toEqual(["/page", "/a n=1", "/a n=1; n=2", "/a n=1; n=2; n=3"]);
    });

    test("are left to a browser when a known system wants some time", async () => {
      const anubis = '<script id="anubis_challenge" type="application/json">{}</script>';
      expect((await enter({ "/page": sendsTo("/pass") }, anubis)).seen).toEqual(["/page", "/page"]);
    });
  });

  test("get credentials on their own site only", async () => {
    const headers = { Authorization: "Basic abc", "X-Name": "me" };
    const here = await follow({ "/page": sendsTo("/next"), "/next": TEXT }, attemptOf({ headers }));
    expect(here.visited[1]?.visit.headers).toEqual(headers);
    const away = await follow(
      { "/page": sendsTo("http://other.test/next"), "/next": TEXT },
      attemptOf({ headers }),
    );
    expect(away.visited[1]?.visit.headers).toEqual({ "X-Name": "me" });
  });
});
