import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";

import { answerSchemas } from "../src/http/openapi/answers.ts";
import { ADMIN_KEY, KEYED, makeTeam, type TestTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Operation {
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

let world: World;
let team: TestTeam;
let described: OpenApi;
let url: string;

beforeAll(async () => {
  world = await openWorld(KEYED);
  team = await makeTeam(world, { credits: 10 });
  url = world.site.page("/page", htmlPage("<h1>Page</h1>"));
  described = (await (await fetch(`${world.baseUrl}/openapi.json`)).json()) as OpenApi;
});

afterAll(() => world.close());

/** Served for the eye, or answered with 501 yet. */
const UNDESCRIBED = /^(?:\/docs\/|\/v2\/scrape\/:id\/interact)/;

/** `METHOD /path` of everything that the server answers. */
function routes(): readonly string[] {
  const found: string[] = [];
  let parts: string[] = [];
  for (const line of world.app.server.printRoutes({ commonPrefix: false }).split("\n")) {
    const [, indent = "", place = "", methods = ""] = /^([│ ]*)[├└]── (\S*) \((.*)\)/.exec(line) ?? [];
    parts = [...parts.slice(0, indent.length / 4), place];
    const path = parts.join("");
    if (methods === "" || UNDESCRIBED.test(path)) continue;
    const kinds = methods.split(", ").filter((method) => method !== "HEAD" && method !== "OPTIONS");
    found.push(...kinds.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`));
  }
  return found.toSorted();
}

test("every route is described, and nothing else", () => {
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.toSorted()).toEqual(routes());
});

test("references lead somewhere, and the operator's interface has its own key", () => {
  const names = [...JSON.stringify(described).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(30);
  for (const name of new Set(names)) expect(described.components.schemas).toHaveProperty(name ?? "");
  expect(described.paths["/admin/api/teams"]?.["get"]?.security).toEqual([{ operatorKey: [] }]);
  const ledger = described.paths["/admin/api/teams/{id}/ledger"]?.["get"]?.parameters;
  expect(ledger?.map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual([
    "path id",
    "query limit",
    "query cursor",
  ]);
});

test("answers have the shapes that are described", async () => {
  const asOperator = { authorization: `Bearer ${ADMIN_KEY}` };
  const id = team.teamId;
  async function expectShape(
    shape: keyof typeof answerSchemas,
    line: string,
    body?: object,
  ): Promise<unknown> {
    const [method = "", path = ""] = line.split(" ");
    const headers = path.startsWith("/admin/") ? asOperator : team.headers;
    const answer = await fetch(world.baseUrl + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const json: unknown = await answer.json();
    const schema: z.ZodType = answerSchemas[shape];
    expect([line, schema.safeParse(json).error]).toEqual([line, undefined]);
    return json;
  }

  await expectShape("ScrapeAnswer", "POST /v2/scrape", { url });
  await expectShape("CreditUsage", "GET /v2/team/credit-usage");
  await expectShape("TokenUsage", "GET /v2/team/token-usage");
  await expectShape("UsageHistory", "GET /v2/team/credit-usage/historical?byApiKey=true");
  await expectShape("QueueStatus", "GET /v2/team/queue-status");
  await expectShape("Activity", "GET /v2/team/activity");
  await expectShape("Concurrency", "GET /v2/concurrency-check");
  await expectShape("ThreatPolicy", "PUT /v2/team/threat-protection", { mode: "off", blacklist: ["a.test"] });
  await expectShape("ThreatPolicy", "GET /v2/team/threat-protection");
  await expectShape("Profiles", "GET /v2/browser/profiles");
  await expectShape("MadeTeam", "POST /admin/api/teams", { name: "other", allowance: { credits: 3 } });
  await expectShape("Teams", "GET /admin/api/teams");
  await expectShape("Team", `PATCH /admin/api/teams/${id}`, { flags: { zeroDataRetention: "allowed" } });
  await expectShape("Remaining", `POST /admin/api/teams/${id}/credits`, { add: 1 });
  await expectShape("Ledger", `GET /admin/api/teams/${id}/ledger`);
  const restrictions = { formats: ["markdown"] };
  const made = await expectShape("MadeKey", `POST /admin/api/teams/${id}/keys`, { restrictions });
  const { keyId } = made as { readonly keyId: string };
  await expectShape("Keys", `GET /admin/api/teams/${id}/keys`);
  await expectShape("Done", `PATCH /admin/api/keys/${keyId}`, { name: "renamed" });
  await expectShape("Done", `DELETE /admin/api/keys/${keyId}`);
  await expectShape("Requests", "GET /admin/api/requests");
  await expectShape("Status", "GET /admin/api/status");
  await expectShape("Error", `DELETE /admin/api/keys/${keyId}`);
});

test.each(["null", "[]", "1", '"x"', "true", "{", "[[]]", '{"a":1}', '{"__proto__":{"name":"x"}}'])(
  "the body %s is refused where an object is wanted, and nothing breaks",
  async (body) => {
    const lines = [
      "PUT /v2/team/threat-protection",
      "POST /v2/scrape",
      "POST /admin/api/teams",
      `PATCH /admin/api/teams/${team.teamId}`,
      `POST /admin/api/teams/${team.teamId}/credits`,
      `POST /admin/api/teams/${team.teamId}/keys`,
    ];
    for (const line of lines) {
      const [method = "", path = ""] = line.split(" ");
      const authorization = path.startsWith("/admin/") ? `Bearer ${ADMIN_KEY}` : team.headers.authorization;
      const { status } = await fetch(world.baseUrl + path, { method, headers: { authorization }, body });
      expect([line, status]).toEqual([line, 400]);
    }
  },
);
