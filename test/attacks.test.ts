import { readdir, readFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";

import { ADMIN_KEY, KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let team: TestTeam;
let apiKey: string;
let url: string;
let logged = "";

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  world = await openWorld(KEYED, pino({ level: "trace" }, sink));
  team = await makeTeam(world);
  apiKey = team.headers.authorization.slice("Bearer ".length);
  url = world.site.page("/page", htmlPage("<h1>Page</h1>"));
});

/** Sends bytes as they are. @returns the status line and headers of the answer. */
async function raw(lines: readonly string[]): Promise<string> {
  const { port } = world.app.server.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.write(`${[...lines, "Host: x", "Connection: close"].join("\r\n")}\r\n\r\n`);
  return text(socket);
}

describe("T11 the Authorization header", () => {
  test.each<readonly [string, (key: string) => string, number]>([
    ["as it should be", (key) => `Bearer ${key}`, 200],
    ["in small letters", (key) => `bearer ${key}`, 200],
    ["with more spaces", (key) => `Bearer    ${key}  `, 200],
    ["of another scheme", (key) => `Basic ${key}`, 401],
    ["without a scheme", (key) => key, 401],
    ["with a key cut short", (key) => `Bearer ${key.slice(0, -1)}`, 401],
    ["with a key too long", (key) => `Bearer ${key}0`, 401],
    ["with a key in capitals", (key) => `Bearer ${key.toUpperCase()}`, 401],
    ["with two keys", (key) => `Bearer ${key} ${key}`, 401],
    ["with two keys and a comma", (key) => `Bearer ${key}, Bearer ${key}`, 401],
    ["with a tab", (key) => `Bearer\t${key}`, 401],
    ["with SQL", () => `Bearer fc-' OR '1'='1`, 401],
    ["with a pattern", () => `Bearer fc-${"_".repeat(32)}`, 401],
    ["with 7 KB", () => `Bearer fc-${"a".repeat(7000)}`, 401],
    ["with what no text is", () => "Bearer fc-\u00ff\u00fe", 401],
    ["of another origin's token", () => "Bearer fco_abc", 401],
  ])("%s", async (_name, header, status) => {
    const answer = await raw(["GET /v2/team/credit-usage HTTP/1.1", `Authorization: ${header(apiKey)}`]);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\{"success":(?:true|false),/);
  });

  test("that comes twice counts once: the first", async () => {
    const [good, bad] = [`Authorization: Bearer ${apiKey}`, "Authorization: Bearer wrong"];
    const ask = (headers: readonly string[]) => raw(["GET /v2/team/credit-usage HTTP/1.1", ...headers]);
    expect(await ask([good, bad])).toMatch(/^HTTP\/1.1 200 /);
    expect(await ask([bad, good])).toMatch(/^HTTP\/1.1 401 /);
  });

  test.each(["api_key", "apiKey", "key", "token", "access_token", "authorization"])(
    "is the only place of a key: ?%s is none",
    async (name) => {
      expect((await world.get(`/v2/team/credit-usage?${name}=${apiKey}`)).status).toBe(401);
    },
  );

  test("X-Forwarded-For of anybody does not change who calls", async () => {
    const restrictions = { allowedIps: ["10.0.0.0/8"] };
    const { body } = await operate(world, `POST teams/${team.teamId}/keys`, { restrictions });
    const headers = {
      authorization: `Bearer ${body.apiKey}`,
      "x-forwarded-for": "10.1.2.3",
      "x-real-ip": "10.1.2.3",
    };
    expect((await world.scrape({ url }, headers)).status).toBe(403);
  });
});

describe("T05 what belongs to another team", () => {
  test("is as unknown as what does not exist", async () => {
    const { scrapeId } = (await team.scrape({ url })).body.data.metadata;
    const other = await makeTeam(world);
    const unknown = await world.get("/v2/scrape/01a1ffae-6a17-76aa-9062-d2cd291a91df", other.headers);
    const foreign = await world.get(`/v2/scrape/${scrapeId}`, other.headers);
    expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
    expect((await world.get(`/v2/scrape/${scrapeId}`, team.headers)).status).toBe(200);
    const profile = await fetch(`${world.baseUrl}/v2/browser/profiles/ann`, {
      method: "DELETE",
      headers: other.headers,
    });
    expect(profile.status).toBe(404);
  });

  test("R5 or to other keys of the team is not read with a key that may not ask for it", async () => {
    const restrictions = { formats: ["markdown"] };
    const made = await operate(world, `POST teams/${team.teamId}/keys`, { restrictions });
    const headers = { authorization: `Bearer ${made.body.apiKey}` };
    for (const options of [{}, { storeInCache: false, maxAge: 0 }]) {
      const rich = await team.scrape({ url, formats: ["markdown", "rawHtml"], ...options });
      const refused = await world.get(`/v2/scrape/${rich.body.data.metadata.scrapeId}`, headers);
      expect(refused.status).toBe(403);
      expect(refused.body.error).toMatch(/^You are not allowed to access this resource\. .*: rawHtml\./);
      expect(refused.body).not.toHaveProperty("data");
      const open = await team.scrape({ url, ...options });
      const id = open.body.data.metadata.scrapeId;
      expect((await world.get(`/v2/scrape/${id}`, headers)).status).toBe(200);
    }
  });

  test("is in no list and no sum of theirs", async () => {
    const other = await makeTeam(world);
    await other.scrape({ url });
    const before = (await world.get("/v2/team/activity", team.headers)).body
      .data as unknown as readonly object[];
    await other.scrape({ url });
    const after = (await world.get("/v2/team/activity", team.headers)).body
      .data as unknown as readonly object[];
    expect(after).toHaveLength(before.length);
    const cursor = Buffer.from("9999999999999:~' OR 1=1 --").toString("base64url");
    const crafted = await world.get(`/v2/team/activity?cursor=${cursor}`, other.headers);
    expect((crafted.body.data as unknown as readonly object[]).length).toBeLessThanOrEqual(2);
  });
});

describe("T12 the operator's interface", () => {
  test.each([
    "GET /admin/api/teams",
    "GET //admin//api/teams",
    "GET /admin/api/teams/",
    "GET /v2/admin/api/teams",
    "GET /admin/api/../api/teams",
    "GET /ADMIN/api/teams",
    "HEAD /admin/api/teams",
    "GET /admin/api/status",
    "GET /admin/api/audit",
    "DELETE /admin/api/teams/default",
  ])("%s opens to no key of a team", async (line) => {
    const answer = await raw([`${line} HTTP/1.1`, `Authorization: Bearer ${apiKey}`]);
    expect(answer).toMatch(/^HTTP\/1.1 40[14] /);
    expect(answer).not.toContain("teamId");
  });

  test("T17 is not shared with other sites", async () => {
    const headers = { origin: "http://evil.test", authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await fetch(`${world.baseUrl}/admin/api/teams`, { headers });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    const asked = await fetch(`${world.baseUrl}/admin/api/teams`, { method: "OPTIONS", headers });
    expect(asked.headers.get("access-control-allow-origin")).toBeNull();
    const open = await fetch(`${world.baseUrl}/v2/scrape`, { method: "OPTIONS", headers });
    expect(open.headers.get("access-control-allow-origin")).toBe("*");
  });

  test.each(["%25", "_", "%", "127.0.0.1%' OR '1'='1", "*", "%00", "a%"])(
    "takes the domain %j for a name, not for a pattern",
    async (domain) => {
      await team.scrape({ url });
      const found = await operate(world, `GET requests?domain=${encodeURIComponent(domain)}`);
      expect([found.status, found.body.data]).toEqual([200, []]);
    },
  );
});

describe("T13 and P15: keys and URLs", () => {
  test("are told nowhere in files, logs and figures", async () => {
    const secret = `secret${Math.random().toString(36).slice(2)}`;
    await team.scrape({ url: `${world.site.url("/page")}?${secret}`, headers: { "x-token": secret } });
    await team.scrape({ url: `http://user:${secret}@127.0.0.1:${world.site.port}/page` });
    await team.scrape({ url: `http://127.0.0.9:1/${secret}` });
    await team.scrape({ url, [secret]: secret });
    await world.app.services.records.flush();
    const figures = await (await fetch(`${world.baseUrl}/metrics`)).text();
    for (const wanted of [secret, apiKey, ADMIN_KEY]) {
      expect(figures).not.toContain(wanted);
      expect(logged).not.toContain(wanted);
    }
    for (const entry of await readdir(world.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
      expect([entry.name, bytes.includes(apiKey), bytes.includes(ADMIN_KEY)]).toEqual([
        entry.name,
        false,
        false,
      ]);
    }
  });

  test("cannot make lines of the log", async () => {
    const line = '\n{"level":60,"msg":"forged"}\n';
    logged = "";
    await team.scrape({
      url: `http://127.0.0.1:${world.site.port}/page?${line}`,
      origin: line,
      integration: "x",
    });
    await world.get(`/v2/scrape/${encodeURIComponent(line)}`, team.headers);
    await raw(["GET /v2/nothing HTTP/1.1", `X-Request-Id: a\\n${line.trim()}`]);
    const lines = logged.split("\n").filter(Boolean);
    expect(lines.length).toBeGreaterThan(1);
    for (const one of lines) expect((JSON.parse(one) as { readonly msg: string }).msg).not.toBe("forged");
  });
});

describe("T08 links to files", () => {
  test("open for whoever has them, say who may not make them, and lead nowhere else", async () => {
    const { screenshot = "" } = (await team.scrape({ url, formats: ["screenshot"] })).body.data;
    const link = new URL(screenshot);
    const odd = {
      host: "evil.test",
      "x-forwarded-host": "evil.test",
      accept: "text/html",
      range: "bytes=0-0",
    };
    const part = await fetch(link, { headers: odd });
    expect([part.status, part.headers.get("content-type")]).toEqual([206, "image/png"]);
    expect((await fetch(link, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(link, { method: "POST" })).status).toBe(404);
    const [, other = ""] = /files\/([0-9a-f]{64})/.exec(link.pathname) ?? [];
    for (const changed of [
      link.href.replace(other, other.toUpperCase()),
      link.href.replace(/\.png/, ".png%00.html"),
      link.href.replace(/\.png/, ".html"),
      link.href.replace(/expires=(\d+)/, "expires=0$1"),
      link.href.replace(/expires=(\d+)/, "expires=$1.0"),
      link.href.replace(/signature=/, "signature=%20"),
      link.href.replace(/\?.*/, ""),
      `${link.origin}/v2/files/`,
      `${link.origin}/v2/files/..%2f..%2fsecret.key?${link.searchParams.toString()}`,
    ]) {
      expect([changed, (await fetch(changed)).status]).toEqual([changed, 404]);
    }
  }, 120_000);
});
