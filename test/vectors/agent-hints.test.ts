import { beforeAll, expect, test } from "vitest";

import { makeTeam, type TestTeam } from "../operator.ts";
import { textPage, writePdf } from "../pdf-writer.ts";
import { useSharedWorld } from "../use-world.ts";

const WANTED = { "x-firecrawl-agent-hints": "true" };

const world = useSharedWorld("keyed");
let rich: TestTeam;
let poor: TestTeam;

beforeAll(async () => {
  rich = await makeTeam(world, { credits: 1000 });
  poor = await makeTeam(world, { credits: 50 });
});

function answeredWith(status: number): string {
  return world.site.page(`/${status}`, (_request, response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>Page</h1><p>Some words.</p>");
  });
}

async function hints(team: TestTeam, request: object, headers: Readonly<Record<string, string>> = WANTED) {
  const { status, body } = await world.scrape(request, { ...team.headers, ...headers });
  expect(status).toBe(200);
  return (body as unknown as { readonly agent_hints?: readonly string[] }).agent_hints;
}

test("3.34 a page that wants a login is opened by interact, unless nothing is kept of it", async () => {
  const url = answeredWith(401);
  const said = await hints(rich, { url });
  expect(said).toEqual([expect.stringMatching(/login.*\/v2\/scrape\/[0-9a-f-]{36}\/interact/)]);
  expect(await hints(rich, { url, zeroDataRetention: true })).toBeUndefined();
});

test.each([404, 410])("3.34 for a page that is not there (%i) the site is mapped", async (status) => {
  expect(await hints(rich, { url: answeredWith(status) })).toEqual([expect.stringContaining("/v2/map")]);
});

test("3.34 for a document that was cut, more pages are asked for", async () => {
  const pdf = writePdf({ pages: [textPage("One."), textPage("Two."), textPage("Three.")] });
  const url = world.site.page("/three.pdf", (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  });
  const parsers = [{ type: "pdf", maxPages: 2 }];
  expect(await hints(rich, { url, parsers })).toEqual([expect.stringMatching(/^2 of 3 pages.*maxPages/)]);
});

test("3.34 a team learns that its credits run out", async () => {
  expect(await hints(poor, { url: answeredWith(200) })).toEqual([
    expect.stringMatching(/^The team has \d\d credits left\.$/),
  ]);
});

test.each([
  ["nothing is to be said", 200, WANTED],
  ["the client does not want to hear it", 404, {}],
  ["the client says no", 404, { "x-firecrawl-agent-hints": "false" }],
] as const)("3.34 nothing is said where %s", async (_why, status, headers) => {
  expect(await hints(rich, { url: answeredWith(status) }, headers)).toBeUndefined();
});
