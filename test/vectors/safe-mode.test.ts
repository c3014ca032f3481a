import { beforeEach, expect, test } from "vitest";

import { makeTeam, type TestTeam } from "../operator.ts";
import { htmlPage, openSite, type Site } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld("keyed");
let team: TestTeam;
/** A site of its own for each test: rules are remembered per site. */
let site: Site;
let url: string;

beforeEach(async () => {
  site = await openSite();
  url = site.page("/public/page", htmlPage("<h1>Page</h1>"));
  team = await makeTeam(world, { credits: 100 });
  return () => site.close();
});

test.each([
  [{ proxy: "enhanced" }, "the enhanced proxy"],
  [{ proxy: "stealth" }, "the enhanced proxy"],
  [{ profile: { name: "ann" } }, "profile"],
  [{ actions: [{ type: "write", text: "x" }] }, "write actions"],
  [{ actions: [{ type: "press", key: "Enter" }] }, "press actions"],
  [{ actions: [{ type: "executeJavascript", script: "1" }] }, "executeJavascript actions"],
  [{ headers: { Authorization: "Basic eA==" } }, "Authorization headers"],
  [{ headers: { COOKIE: "a=b" } }, "COOKIE headers"],
  [{ headers: { "Proxy-Authorization": "x" } }, "Proxy-Authorization headers"],
])("safe mode (3.28) refuses %j", async (options, named) => {
  const { status, body } = await team.scrape({ url, safeMode: true, ...options });
  expect([status, body.code]).toEqual([403, "SAFE_MODE_BLOCKED"]);
  expect(body.error).toContain(named);
  expect(site.connections()).toBe(0);
  expect(await team.remaining()).toBe(100);
});

test.each([{}, { headers: { "x-a": "b" } }, { proxy: "auto", mobile: false, formats: ["html"] }])(
  "safe mode (3.28) lets %j pass, for the usual price",
  async (options) => {
    const { status, body } = await team.scrape({ url, safeMode: true, ...options });
    expect([status, body.data.metadata.creditsUsed]).toEqual([200, 1]);
  },
);

test("safe mode (3.28) is refused to a team that may not have it", async () => {
  const other = await makeTeam(world, { flags: { safeMode: false } });
  const { status, body } = await other.scrape({ url, safeMode: true });
  expect([status, body.code]).toEqual([403, "SAFE_MODE_BLOCKED"]);
  expect((await other.scrape({ url, safeMode: false })).status).toBe(200);
});

test("safe mode (3.28) honours robots.txt, asks for it once, and without it nothing asks", async () => {
  site.page("/robots.txt", (_request, response) => {
    response.setHeader("content-type", "text/plain").end("User-agent: *\nDisallow: /private\n");
  });
  const secret = site.page("/private/page", htmlPage("<h1>Private</h1>"));
  expect((await team.scrape({ url: secret, maxAge: 0 })).status).toBe(200);
  expect(site.hits("/robots.txt")).toEqual([]);
  const refused = await team.scrape({ url: secret, safeMode: true, maxAge: 0 });
  expect([refused.status, refused.body.code]).toEqual([403, "SAFE_MODE_BLOCKED"]);
  expect(refused.body.error).toContain("robots.txt");
  expect(site.hits("/private/page")).toHaveLength(1);
  expect((await team.scrape({ url, safeMode: true, headers: { "x-a": "b" } })).status).toBe(200);
  expect(site.hits("/robots.txt")).toHaveLength(1);
  expect(site.hits("/robots.txt")[0]?.headers).not.toHaveProperty("x-a");
  expect(await team.remaining()).toBe(98);
});

test.each([
  ["is not there", 404, 200],
  ["is forbidden", 403, 200],
  ["breaks", 503, 403],
])("safe mode (3.28) where robots.txt %s", async (_name, robotsStatus, status) => {
  site.page("/robots.txt", (_request, response) =>
    response.writeHead(robotsStatus).end("User-agent: *\nDisallow: /"),
  );
  expect((await team.scrape({ url, safeMode: true })).status).toBe(status);
});

test("safe mode (3.28) sends nothing in lockdown, nor for a page that is cached", async () => {
  await team.scrape({ url });
  const before = site.connections();
  expect((await team.scrape({ url, safeMode: true, lockdown: true })).status).toBe(200);
  expect((await team.scrape({ url, safeMode: true })).status).toBe(200);
  expect(site.connections()).toBe(before);
});
