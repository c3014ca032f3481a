import { beforeAll, describe, expect, test } from "vitest";

import { OperatorEvent, type OverviewAnswer } from "../packages/server/src/operator/overview.ts";
import type { CompareAnswer } from "../packages/server/src/history/operator/compare-requests.ts";
import type {
  ReplayAnswer,
  RequestAnswer,
  RequestsAnswer,
} from "../packages/server/src/history/operator/show-request.ts";
import { expectDeclared } from "./declared.ts";
import { ADMIN_KEY, KEYED, makeTeam, type TestTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld(KEYED);
let team: TestTeam;
let words = "first";

beforeAll(async () => {
  team = await makeTeam(world, { credits: 10_000 });
});

/** Asks as a script does. An answer that is not declared fails. */
async function ask<Answer>(line: string, body?: object): Promise<Answer & { readonly error: string }> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(world.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer & { readonly error: string };
  expectDeclared({ method, path, status: response.status, body: answer });
  return answer;
}

const detail = (id: string) => ask<RequestAnswer>(`GET /admin/api/requests/${id}`);
const replay = (id: string, body: object = {}) =>
  ask<ReplayAnswer>(`POST /admin/api/requests/${id}/replay`, body);
const compare = (a: string, b: string) => ask<CompareAnswer>(`GET /admin/api/compare?a=${a}&b=${b}`);

/** A page that says what the test wants at the time. */
function changingPage(path: string): string {
  return world.site.page(path, (_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<html><body><main><h1>Page</h1><p>It says the ${words} words of many.</p></main></body></html>`,
    );
  });
}

/** Scrapes, and tells the id of the request. */
async function scraped(body: object): Promise<string> {
  const { body: answer, status } = await team.scrape(body);
  if (status === 200) return answer.data.metadata.scrapeId;
  const { data } = await ask<RequestsAnswer>(`GET /admin/api/requests?team=${team.teamId}&limit=1`);
  return data[0]?.id ?? "";
}

describe("a request", () => {
  test("is shown as it was sent, without its secrets, and where the time went", async () => {
    const url = world.site.page("/secret", htmlPage("<h1>Hello</h1>"));
    const headers = { authorization: "Bearer of-nobody-else", "accept-language": "de" };
    const id = await scraped({ url: `${url}?token=of-nobody-else`, headers, formats: ["markdown", "links"] });
    const { data } = await detail(id);
    expect(data).toMatchObject({
      request: { id, teamId: team.teamId, status: "completed", formats: ["markdown", "links"], way: "http" },
      body: { headers: { authorization: "***", "accept-language": "de" } },
      masked: ["url", "headers.authorization"],
      explanation: { what: "The request succeeded.", remedy: null },
      hasAnswer: true,
    });
    expect(data.timings.map(({ name }) => name)).toEqual(expect.arrayContaining(["visit", "markdown"]));
    const rows = await fetch(`${world.baseUrl}/admin/api/requests.jsonl?search=secret`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    const lines = await rows.text();
    expect(lines.trim().split("\n")).toHaveLength(1);
    expect(JSON.stringify(data) + lines).not.toContain("of-nobody-else");
  });

  test.each([{ zeroDataRetention: true }, { lockdown: true }])(
    "with %j is not kept in any way",
    async (wish) => {
      const url = world.site.page("/private", htmlPage("<h1>Private</h1>"));
      await team.scrape({ url, ...wish });
      const { data } = await ask<RequestsAnswer>("GET /admin/api/requests?search=/private");
      expect(data).toEqual([]);
    },
  );

  test("is found by each of its facts", async () => {
    const url = world.site.page("/found", htmlPage("<h1>Found</h1>"));
    const id = await scraped({ url, formats: ["html"] });
    const queries = [
      "search=/found",
      `search=${id}`,
      "format=html",
      "way=http&search=/found",
      "statusCode=200&search=found",
    ];
    for (const query of [...queries, "since=2020-01-01T00:00:00Z&search=/found"]) {
      const { data } = await ask<RequestsAnswer>(`GET /admin/api/requests?${query}`);
      expect([query, data.map((row) => row.id)]).toEqual([query, [id]]);
    }
    for (const query of [
      "search=%25",
      "search=/found&format=htm",
      "search=/found&until=2020-01-01T00:00:00Z",
      "way=x",
      "code=x",
    ])
      expect((await ask<RequestsAnswer>(`GET /admin/api/requests?${query}`)).data).toEqual([]);
  });

  test.each([
    [
      "a page that answers too late",
      () => ({ url: slowPage(), timeout: 1000 }),
      /timed out/,
      /where the time went/,
    ],
    [
      "a site that refuses",
      () => ({ url: statusPage(403) }),
      /refused the visit. It answered 403/,
      /proxy: enhanced/,
    ],
    ["robots.txt", () => ({ url: robotsPage(), safeMode: true }), /Safe mode/, /safeMode/],
    ["a name that is not there", () => ({ url: "http://absent.invalid/" }), /DNS/, /spelling/],
  ])("that failed by %s says so in words, and what to do", async (_why, body, what, remedy) => {
    const { data } = await detail(await scraped(body()));
    expect(data.explanation.what).toMatch(what);
    expect(data.explanation.remedy).toMatch(remedy);
  });

  test("that is not there is told as such", async () => {
    for (const path of ["requests/x", "requests/x/answer", "compare?a=x&b=y"])
      expect((await ask<{ error: string }>(`GET /admin/api/${path}`)).error).toContain("Request not found.");
  });

  test("shows its HTML in a frame in which nothing runs", async () => {
    const url = world.site.page("/evil", htmlPage("<script>alert(1)</script><h1>Evil</h1>"));
    const id = await scraped({ url, formats: ["rawHtml"] });
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const response = await fetch(`${world.baseUrl}/admin/preview/${id}`, { headers });
    expect(response.headers.get("content-security-policy")).toBe(
      "sandbox; default-src 'none'; img-src data:",
    );
    expect(await response.text()).toContain("<h1>Evil</h1>");
    expect((await fetch(`${world.baseUrl}/admin/preview/${id}`)).status).toBe(401);
  });
});

function slowPage(): string {
  return world.site.page("/slow", () => undefined);
}

function statusPage(status: number): string {
  return world.site.page(
    "/status",
    (_request, response) => void response.writeHead(status).end("<h1>No</h1>"),
  );
}

function robotsPage(): string {
  world.site.page(
    "/robots.txt",
    (_request, response) => void response.end("User-agent: *\nDisallow: /closed"),
  );
  return world.site.page("/closed", htmlPage("<h1>Closed</h1>"));
}

describe("a replay", () => {
  test("fetches anew, is paid by the same team, and differs where the page does", async () => {
    words = "first";
    const url = changingPage("/changing");
    const id = await scraped({ url, formats: ["markdown", "links"] });
    const before = await team.remaining();
    const same = (await replay(id)).data;
    expect(same).toMatchObject({ status: "completed", replayOf: id, error: null });
    expect(await team.remaining()).toBe(before - 1);
    expect((await compare(id, same.id)).data).toMatchObject({ isSame: true, missing: [], outcome: [] });
    words = "second";
    const other = (await replay(id)).data;
    const { data } = await compare(id, other.id);
    expect(data.isSame).toBe(false);
    expect(data.markdown?.hunks[0]?.lines).toEqual(
      expect.arrayContaining([
        { kind: "removed", text: "It says the first words of many." },
        { kind: "added", text: "It says the second words of many." },
      ]),
    );
    expect((await detail(id)).data.replays).toEqual([other.id, same.id]);
    expect((await detail(other.id)).data.request).toMatchObject({ replayOf: id, origin: "dashboard-replay" });
  });

  test("with changes sends those, and tells them apart", async () => {
    const url = changingPage("/changes");
    const id = await scraped({ url, formats: ["markdown"] });
    const { data } = await replay(id, { body: { url, formats: ["links"] } });
    const differences = (await compare(id, data.id)).data;
    expect(differences.request).toEqual([{ path: "$.formats[0]", a: "markdown", b: "links" }]);
    expect(differences.markdown).toBeNull();
  });

  test("needs the secrets anew", async () => {
    const url = world.site.page("/login", (request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<h1>${request.headers["x-login"] === "right" ? "Welcome" : "No"}</h1>`);
    });
    const id = await scraped({ url, headers: { "x-login": "right" } });
    expect((await replay(id)).error).toContain("Send their values in `fill`: headers.x-login");
    const { data } = await replay(id, { fill: { "headers.x-login": "right" } });
    expect((await compare(id, data.id)).data.isSame).toBe(true);
  });

  test("that fails is told, and leads to its cause", async () => {
    const id = await scraped({ url: changingPage("/fails") });
    const { data } = await replay(id, { body: { url: slowPage(), timeout: 1000 } });
    expect(data).toMatchObject({ status: "failed", errorCode: "SCRAPE_TIMEOUT" });
    expect((await compare(id, data.id)).data.outcome).toContainEqual({
      path: "$.status",
      a: "completed",
      b: "failed",
    });
  });

  test.each([
    [{ body: { url: "no url" } }, /Invalid/i],
    [{ body: { url: "https://a.test", zeroDataRetention: true } }, /zero data retention/],
    [{ body: { url: "https://a.test", lockdown: true } }, /zero data retention/],
    [{ other: 1 }, /Unrecognized key/],
  ])("of %j is refused", async (body, error) => {
    const id = await scraped({ url: changingPage("/refused") });
    expect((await replay(id, body)).error).toMatch(error);
  });
});

test("a request that ends is told to who looks", async () => {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const response = await fetch(`${world.baseUrl}/admin/api/events`, { headers });
  const url = world.site.page("/told", htmlPage("<h1>Told</h1>"));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  await scraped({ url });
  let text = "";
  while (!text.includes("/told")) text += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  const told = text.split("\n\n").filter((part) => part.includes("data: "));
  expect(told.length).toBeGreaterThan(0);
  for (const part of told) {
    const [, event, data = ""] = /event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
    OperatorEvent.parse({ event, data: JSON.parse(data) as unknown });
  }
});

test("the overview counts what ended, zero retention too, and shows nothing of that", async () => {
  const { data } = await ask<OverviewAnswer>("GET /admin/api/overview?days=3");
  expect(data.days).toHaveLength(3);
  expect(data.lastHour).toHaveLength(60);
  expect(data.total.pages).toBeGreaterThan(10);
  expect(data.total.failed).toBeGreaterThan(2);
  expect(data.total.p95Ms).toBeGreaterThanOrEqual(data.total.p50Ms ?? 0);
  expect(data.lastHour.reduce((sum, { pages }) => sum + pages, 0)).toBe(data.total.pages);
  expect(JSON.stringify(data)).not.toContain("/private");
});
