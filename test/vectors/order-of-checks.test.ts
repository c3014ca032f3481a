import { beforeAll, describe, expect, test } from "vitest";

import { listenDns } from "../../packages/server/src/net/loopback.suite.ts";
import { KEYED, makeTeam, operate } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
let url: string;

beforeAll(async () => {
  const nameServer = await listenDns((_name, type) => (type === "A" ? ["127.0.0.1"] : []));
  world = await openWorld({
    ...KEYED,
    DNS_SERVERS: nameServer,
    BLOCKED_DOMAINS: "blocked.test, bücher.test,127.0.0.7",
    TRUSTED_PROXIES: "127.0.0.1",
  });
  url = world.site.page("/page", htmlPage("<h1>Page</h1>"));
});

const SITE_BLOCKED = /^We apologize for the inconvenience but we do not support this site\./;

describe("4.1 the operator's blocklist", () => {
  test.each([
    "http://blocked.test/x",
    "blocked.test",
    "https://WWW.Blocked.test.:8443/",
    "http://user:secret@blocked.test/",
    "http://xn--bcher-kva.test/",
    "http://2130706439/",
    "http://[::ffff:127.0.0.7]/",
  ])("refuses %s", async (blocked) => {
    const before = world.site.connections();
    const { status, body } = await world.scrape({ url: blocked }, (await makeTeam(world)).headers);
    expect([status, body.code]).toEqual([403, "UNSUPPORTED_SITE"]);
    expect(body.error).toMatch(SITE_BLOCKED);
    expect(world.site.connections()).toBe(before);
  });

  test("leaves other names alone", async () => {
    const team = await makeTeam(world);
    expect((await team.scrape({ url: `http://notblocked.test:${world.site.port}/page` })).status).toBe(200);
  });

  test("holds where a redirect ends, also for a page that is cached, and costs nothing", async () => {
    const team = await makeTeam(world, { credits: 5 });
    const target = `http://blocked.test:${world.site.port}/page`;
    const away = world.site.page("/to-blocked", (_request, response) => {
      response.writeHead(302, { location: target }).end();
    });
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await team.scrape({ url: away })).body.code).toBe("UNSUPPORTED_SITE");
    }
    expect(await team.remaining()).toBe(5);
  });
});

describe("4.1 a ban", () => {
  test("of a team refuses all of its requests, until it is lifted", async () => {
    const team = await makeTeam(world);
    const ban = (banned: boolean) => operate(world, `PATCH teams/${team.teamId}`, { flags: { banned } });
    await ban(true);
    const { status, body } = await team.scrape({ wrong: true });
    expect([status, body]).toEqual([
      403,
      { success: false, error: "Forbidden: this team has been banned by the operator of this service." },
    ]);
    expect((await world.get("/v2/team/credit-usage", team.headers)).status).toBe(403);
    await ban(false);
    expect((await team.scrape({ url })).status).toBe(200);
  });

  test("of a key refuses that key alone", async () => {
    const team = await makeTeam(world);
    const { keyId, apiKey } = (await operate(world, `POST teams/${team.teamId}/keys`, {})).body;
    const key = { authorization: `Bearer ${apiKey}` };
    const change = (restrictions: object) => operate(world, `PATCH keys/${keyId}`, { restrictions });
    expect((await change({ banned: true })).status).toBe(200);
    expect((await world.scrape({ url }, key)).body.error).toBe(
      "Forbidden: this API key has been banned by the operator of this service.",
    );
    expect((await team.scrape({ url })).status).toBe(200);
    await change({});
    expect((await world.scrape({ url }, key)).status).toBe(200);
    expect((await operate(world, "PATCH keys/nobody", { name: "x" })).status).toBe(404);
    expect((await change({ unknown: 1 })).status).toBe(400);
  });
});

describe("4.1 of several things that are wrong", () => {
  /** Everything below the first line of the table is wrong with the request, too. */
  const everything = {
    url: "http://blocked.test/",
    formats: ["html"],
    zeroDataRetention: true,
    safeMode: true,
    proxy: "enhanced",
    wrong: true,
  };

  test("the one that is checked first is told", async () => {
    const team = await makeTeam(world, {
      credits: 0,
      limits: { requestsPerMinute: 1 },
      flags: { banned: true, zeroDataRetention: false },
      threatPolicy: { mode: "manual-only", blacklist: ["listed.test"] },
    });
    const { apiKey } = (
      await operate(world, `POST teams/${team.teamId}/keys`, { restrictions: { formats: ["markdown"] } })
    ).body;
    const key = { authorization: `Bearer ${apiKey}` };
    const change = (changes: object) => operate(world, `PATCH teams/${team.teamId}`, changes);
    const told = async (body: unknown, headers: Readonly<Record<string, string>> = key) => {
      const answer = await world.scrape(body, headers);
      return [answer.status, answer.body.code ?? answer.body.error.slice(0, 30)];
    };

    expect(await told(everything, {})).toEqual([401, "Unauthorized"]);
    let limited = await told(everything);
    while (limited[0] !== 429) limited = await told(everything);
    expect(limited[1]).toBe("Rate limit exceeded. Consumed ");
    await change({ limits: { requestsPerMinute: 10_000 } });
    expect(await told(everything)).toEqual([403, "Forbidden: this team has been "]);
    await change({ flags: { banned: false } });
    expect(await told(everything)).toEqual([402, "insufficient_credits"]);
    await operate(world, `POST teams/${team.teamId}/credits`, { add: 100 });
    expect(await told(everything)).toEqual([403, "UNSUPPORTED_SITE"]);
    const elsewhere = { ...everything, url: "http://listed.test/" };
    expect(await told(elsewhere)).toEqual([400, "BAD_REQUEST"]);
    const { wrong: _wrong, ...valid } = elsewhere;
    expect(await told(valid)).toEqual([403, "SAFE_MODE_BLOCKED"]);
    const { safeMode: _safeMode, ...unsafe } = valid;
    expect(await told(unsafe)).toEqual([403, "unsafe_domain_blocked"]);
    const unlisted = { ...unsafe, url, threatProtection: { mode: "off" } };
    expect(await told(unlisted)).toEqual([403, "Zero Data Retention (ZDR) is n"]);
    const kept = { ...unlisted, zeroDataRetention: false };
    expect(await told(kept)).toEqual([403, "Threat protection is enforced "]);
    const { threatProtection: _override, ...plain } = kept;
    expect(await told(plain)).toEqual([403, "Request blocked: this API key "]);
    const allowed = { ...plain, formats: ["markdown"], proxy: "basic" };
    expect((await world.scrape(allowed, key)).status).toBe(200);
  });

  test("a list that the request itself clears does not hide what else is wrong", async () => {
    const team = await makeTeam(world, {
      flags: { zeroDataRetention: false },
      threatPolicy: { mode: "manual-only", blacklist: ["127.0.0.1"] },
    });
    const request = { url, zeroDataRetention: true };
    expect((await team.scrape(request)).body.code).toBe("unsafe_domain_blocked");
    const cleared = await team.scrape({ ...request, threatProtection: { whitelist: ["127.0.0.1"] } });
    expect(cleared.body.error).toMatch(/^Zero Data Retention/);
  });
});

describe("behind a reverse proxy that is trusted", () => {
  async function keyFor(allowedIps: readonly string[]) {
    const team = await makeTeam(world);
    const { body } = await operate(world, `POST teams/${team.teamId}/keys`, { restrictions: { allowedIps } });
    return { authorization: `Bearer ${body.apiKey}` };
  }

  test.each([
    ["203.0.113.9", 200],
    ["198.51.100.1", 403],
    ["198.51.100.1, 203.0.113.9", 200],
    ["203.0.113.9, 198.51.100.1", 403],
    ["::ffff:203.0.113.9", 200],
    ["2001:db8::7", 200],
    ["2001:db8::8%eth0", 403],
    ["nonsense", 403],
    ["203.0.113.9\u00e9", 403],
  ])("the caller %s of a restricted key gets %i", async (forwarded, status) => {
    const key = await keyFor(["203.0.113.0/24", "2001:db8::7"]);
    expect((await world.scrape({ url }, { ...key, "x-forwarded-for": forwarded })).status).toBe(status);
  });

  test("links have the name that the client used", async () => {
    const team = await makeTeam(world);
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "scrape.example" };
    const page = await fetch(world.baseUrl, { headers: { ...team.headers, ...headers } });
    expect(await page.text()).toContain("https://scrape.example/v2/scrape");
  });
});
