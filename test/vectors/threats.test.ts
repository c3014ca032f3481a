import type { RequestListener } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";

import { listenDns } from "../../packages/server/src/net/loopback.suite.ts";
import { KEYED, makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage, openSite, type Site } from "../site.ts";
import { type Answer, openWorld, type World } from "../world.ts";

let world: World;
let risk: Site;
let riskAnswer: (uri: string) => { readonly status: number; readonly body: unknown };
let riskQuestions: string[];

const HARMLESS = { status: 200, body: {} };
const DANGEROUS = {
  status: 200,
  body: { threat: { threatTypes: ["MALWARE"], expireTime: "2030-01-01T00:00:00Z" } },
};

beforeAll(async () => {
  const nameServer = await listenDns((_name, type) => (type === "A" ? ["127.0.0.1"] : []));
  risk = await openSite();
  risk.page("/v1/uris:search", (request, response) => {
    const uri = new URL(request.url ?? "", "http://x").searchParams.get("uri") ?? "";
    riskQuestions.push(`${String(request.headers["x-goog-api-key"])} ${uri}`);
    const { status, body } = riskAnswer(uri);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  world = await openWorld({
    ...KEYED,
    DNS_SERVERS: nameServer,
    THREATS_URL: risk.url("/"),
    THREATS_KEY: "risk-key",
  });
  world.site.page("/page", htmlPage("<h1>Page</h1>"));
});

function at(host: string, path = "/page"): string {
  return `http://${host}:${world.site.port}${path}`;
}

async function reset(answer: typeof riskAnswer = () => HARMLESS): Promise<TestTeam> {
  riskAnswer = answer;
  riskQuestions = [];
  return makeTeam(world, { credits: 100 });
}

function expectBlocked({ status, body }: Answer, rule: string, host: string): void {
  expect([status, body.code]).toEqual([403, "unsafe_domain_blocked"]);
  const told = host.slice(host.indexOf("@") + 1);
  expect(body.error).toContain(told === host ? host : `//${told}`);
  expect(body.error).toContain(`is blocked by your organization's threat protection policy (rule: ${rule}).`);
  expect(body.data).toBeUndefined();
}

describe("A54 lists", () => {
  test.each([
    ["a listed host", { blacklist: ["evil.test"] }, "evil.test", "blacklist"],
    ["a listed host in capitals", { blacklist: ["evil.test"] }, "EVIL.test", "blacklist"],
    ["a listed host with a final dot", { blacklist: ["evil.test"] }, "evil.test.", "blacklist"],
    ["a host below a listed one", { blacklist: ["*.evil.test"] }, "a.b.evil.test", "blacklist"],
    ["another spelling of a listed host", { blacklist: ["bücher.test"] }, "xn--bcher-kva.test", "blacklist"],
    ["a listed address", { blacklist: ["127.0.0.1"] }, "127.0.0.1", "blacklist"],
    ["a listed address as a number", { blacklist: ["127.0.0.1"] }, "2130706433", "blacklist"],
    ["a listed address in octal", { blacklist: ["127.0.0.1"] }, "0177.1", "blacklist"],
    ["a listed address inside of IPv6", { blacklist: ["127.0.0.1"] }, "[::ffff:127.0.0.1]", "blacklist"],
    ["a listed IPv6 address", { blacklist: ["[2606:4700:0::1]"] }, "[2606:4700::1]", "blacklist"],
    [
      "a listed host with a name and a password",
      { blacklist: ["evil.test"] },
      "fine.test:x@evil.test",
      "blacklist",
    ],
    ["a listed host in wide letters", { blacklist: ["evil.test"] }, "ｅｖｉｌ.test", "blacklist"],
    ["a listed host in percent encoding", { blacklist: ["evil.test"] }, "%65vil.test", "blacklist"],
    ["a name with underscores", { blacklist: ["my_host.evil.test"] }, "my_host.evil.test", "blacklist"],
    ["a listed top-level domain with a final dot", { blockedTlds: ["zip"] }, "files.zip.", "blocked_tld"],
    ["a listed top-level domain", { blockedTlds: ["zip"] }, "files.zip", "blocked_tld"],
  ])("block %s", async (_name, threatProtection, host, rule) => {
    const team = await reset();
    const before = world.site.connections();
    expectBlocked(await team.scrape({ url: at(host), threatProtection }), rule, host);
    expect(world.site.connections()).toBe(before);
    expect(await team.remaining()).toBe(100);
  });

  test.each([
    [
      "the whitelist wins over both others",
      { whitelist: ["ok.test"], blacklist: ["ok.test"], blockedTlds: ["test"] },
      "ok.test",
    ],
    ["a plain entry leaves hosts below it alone", { blacklist: ["evil.test"] }, "a.evil.test"],
    ["a wildcard leaves the host itself alone", { blacklist: ["*.evil.test"] }, "evil.test"],
    ["a longer name is another name", { blacklist: ["evil.test"], blockedTlds: ["est"] }, "notevil.test"],
  ])("allow: %s", async (_name, lists, host) => {
    const team = await reset();
    const { status } = await team.scrape({
      url: at(host),
      threatProtection: { mode: "manual-only", ...lists },
    });
    expect(status).toBe(200);
    expect(riskQuestions).toEqual([]);
    expect(await team.remaining()).toBe(99);
  });

  test("block where a redirect ends", async () => {
    const team = await reset();
    world.site.page("/away", (_request, response) => {
      response.writeHead(302, { location: at("evil.test") }).end();
    });
    const answer = await team.scrape({
      url: at("fine.test", "/away"),
      threatProtection: { blacklist: ["evil.test"] },
    });
    expectBlocked(answer, "blacklist", "evil.test");
    expect((await team.scrape({ url: at("fine.test", "/away") })).status).toBe(200);
    const cached = await team.scrape({
      url: at("fine.test", "/away"),
      threatProtection: { blacklist: ["evil.test"] },
    });
    expectBlocked(cached, "blacklist", "evil.test");
  });
});

describe("W9 nothing is fetched from a refused place that", () => {
  const plenty = `<main><h1>Start</h1>${"<p>A sentence with a good number of words.</p>".repeat(9)}</main>`;
  const evil = () => at("evil.test", "/lair");
  const redirect: RequestListener = (_request, response) =>
    response.writeHead(302, { location: evil() }).end();
  const go = () => ({ type: "executeJavascript", script: `location.href = "${evil()}"` });
  let begins = 0;
  const wait = { type: "wait", milliseconds: 500 };

  test.each([
    ["a redirect leads to", () => redirect, {}],
    ["a redirect leads to, in a browser", () => redirect, { mobile: true }],
    [
      "the page refreshes to",
      () => htmlPage("", `<meta http-equiv="refresh" content="0; url=${evil()}">`),
      {},
    ],
    [
      "a script leads to",
      () => htmlPage(`${plenty}<script>location.href = "${evil()}"</script>`),
      { mobile: true },
    ],
    ["an action leads to", () => htmlPage(plenty), () => ({ actions: [go(), wait] })],
  ])(
    "%s",
    async (_case, page, how) => {
      const team = await reset();
      world.site.page("/lair", htmlPage("<h1>Lair</h1>"));
      begins += 1;
      const begin = `/begin-${begins}`;
      world.site.page(begin, page());
      const before = world.site.hits("/lair").length;
      const answer = await team.scrape({
        url: at("fine.test", begin),
        threatProtection: { blacklist: ["evil.test"] },
        ...(typeof how === "function" ? how() : how),
      });
      expectBlocked(answer, "blacklist", "evil.test");
      expect(world.site.hits("/lair")).toHaveLength(before);
      const allowed = await team.scrape({
        url: at("fine.test", begin),
        threatProtection: { blacklist: ["other.test"] },
        ...(typeof how === "function" ? how() : how),
      });
      expect(allowed.body.data.markdown).toContain("# Lair");
    },
    60_000,
  );

  test("the operator has blocked", async () => {
    const own = await openWorld({ BLOCKED_DOMAINS: "localhost" });
    try {
      const lair = own.site.page("/lair", htmlPage("<h1>Lair</h1>")).replace("127.0.0.1", "localhost");
      const url = own.site.page("/begin", (_request, response) => {
        response.writeHead(302, { location: lair }).end();
      });
      expect((await own.scrape({ url })).body.code).toBe("UNSUPPORTED_SITE");
      expect(own.site.hits("/lair")).toEqual([]);
    } finally {
      await own.close();
    }
  });
});

describe("the classifier", () => {
  const normal = { mode: "normal" };

  test("is asked for each distinct URL, which costs, also when it blocks", async () => {
    const team = await reset((uri) => (uri.includes("bad") ? DANGEROUS : HARMLESS));
    const { body } = await team.scrape({ url: at("good.test"), threatProtection: normal });
    expect(body.data.metadata.creditsUsed).toBe(3);
    expect(riskQuestions).toEqual([`risk-key ${at("good.test")}`]);
    expectBlocked(
      await team.scrape({ url: at("bad.test"), threatProtection: normal }),
      "classifier",
      "bad.test",
    );
    expect(await team.remaining()).toBe(95);
    const fails = await team.scrape({ url: "http://127.0.0.9:1/", threatProtection: normal });
    expect(fails.body.code).toBe("SCRAPE_ALL_ENGINES_FAILED");
    expect(await team.remaining()).toBe(93);
  });

  test("that cannot tell lets the failure policy decide, free of charge", async () => {
    const team = await reset(() => ({ status: 500, body: {} }));
    expectBlocked(
      await team.scrape({ url: at("x.test"), threatProtection: normal }),
      "failure_policy",
      "x.test",
    );
    expect(await team.remaining()).toBe(100);
    const open = await team.scrape({
      url: at("x.test"),
      threatProtection: { ...normal, failurePolicy: "open" },
    });
    expect(open.status).toBe(200);
    expect(await team.remaining()).toBe(99);
  });

  test("is not asked in lockdown: the failure policy decides", async () => {
    const team = await reset();
    const url = at("locked.test");
    await team.scrape({ url });
    const locked = (threatProtection: object) => team.scrape({ url, lockdown: true, threatProtection });
    expectBlocked(await locked(normal), "failure_policy", "locked.test");
    expect((await locked({ ...normal, failurePolicy: "open" })).status).toBe(200);
    expect((await locked({ ...normal, whitelist: ["locked.test"] })).status).toBe(200);
    expect(riskQuestions).toEqual([]);
  });

  test("is asked for the requested and for the final URL", async () => {
    const team = await reset((uri) => (uri.includes("end.test") ? DANGEROUS : HARMLESS));
    world.site.page("/far", (_request, response) => {
      response.writeHead(302, { location: at("end.test") }).end();
    });
    expectBlocked(
      await team.scrape({ url: at("start.test", "/far"), threatProtection: normal }),
      "classifier",
      "end.test",
    );
    expect(riskQuestions).toHaveLength(2);
    expect(await team.remaining()).toBe(96);
  });
});

describe("a team's policy", () => {
  async function put(team: TestTeam, policy: unknown) {
    const response = await fetch(`${world.baseUrl}/v2/team/threat-protection`, {
      method: "PUT",
      headers: { ...team.headers, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  }

  test("is set and shown, holds at once, and is replaced field by field by a request", async () => {
    const team = await reset();
    const url = at("evil.test");
    const none = await world.get("/v2/team/threat-protection", team.headers);
    expect(none.body.data).toEqual({
      mode: "off",
      riskScoreThreshold: 75,
      blacklist: [],
      whitelist: [],
      blockedTlds: [],
      failurePolicy: "closed",
      allowRequestOverrides: true,
      configured: false,
      updatedAt: null,
    });
    expect((await team.scrape({ url })).status).toBe(200);
    expect(
      (await put(team, { mode: "manual-only", blacklist: ["Evil.test"], origin: "js-sdk@4" })).status,
    ).toBe(200);
    const set = await world.get("/v2/team/threat-protection", team.headers);
    expect(set.body.data).toMatchObject({ mode: "manual-only", blacklist: ["evil.test"], configured: true });
    expectBlocked(await team.scrape({ url }), "blacklist", "evil.test");
    expect((await team.scrape({ url, threatProtection: { blacklist: [] } })).status).toBe(200);
    expect((await team.scrape({ url, threatProtection: { mode: "off" } })).body.error).toMatch(
      /^Threat protection is enforced for your team and cannot be disabled per-request/,
    );
    await put(team, { mode: "manual-only", allowRequestOverrides: false });
    expect((await team.scrape({ url, threatProtection: {} })).body.error).toBe(
      "Per-request threat protection overrides are disabled by your organization's threat protection configuration.",
    );
  });

  test.each([{}, { mode: "odd" }, { mode: "off", blacklist: ["http://x"] }, { mode: "off", colour: 1 }])(
    "is refused: %j",
    async (policy) => {
      expect((await put(await reset(), policy)).status).toBe(400);
    },
  );

  test("is not for teams that may not have it, and zscaler for none", async () => {
    await reset();
    const team = await makeTeam(world, { flags: { threatProtection: false } });
    const url = at("x.test");
    const { status, body } = await team.scrape({ url, threatProtection: { mode: "normal" } });
    expect(status).toBe(403);
    expect(body.error).toMatch(
      /^Threat protection is an enterprise feature and is not enabled for your team/,
    );
    expect((await put(team, { mode: "off" })).status).toBe(403);
    expect(
      (await (await makeTeam(world)).scrape({ url, threatProtection: { mode: "zscaler" } })).status,
    ).toBe(403);
  });
});

// Last, because it starts a browser.
test("A54 what actions take from a blocked page on the way is not returned", async () => {
  const team = await reset();
  const secret = "taken from the blocked page";
  world.site.page("/evil", htmlPage(`<h1>${secret}</h1>`));
  world.site.page("/start", htmlPage("<h1>Start</h1>"));
  const go = (url: string) => ({ type: "executeJavascript", script: `location.href = "${url}"` });
  const actions = [
    go(at("evil.test", "/evil")),
    { type: "wait", selector: "h1" },
    { type: "scrape" },
    go(at("fine.test", "/start")),
    { type: "wait", selector: "h1" },
  ];
  const request = { url: at("fine.test", "/start"), actions };
  const allowed = await team.scrape({ ...request, threatProtection: { blacklist: ["other.test"] } });
  expect(JSON.stringify(allowed.body.data.actions)).toContain(secret);
  const refused = await team.scrape({ ...request, threatProtection: { blacklist: ["evil.test"] } });
  expectBlocked(refused, "blacklist", "evil.test");
  expect(JSON.stringify(refused.body)).not.toContain(secret);
}, 120_000);
