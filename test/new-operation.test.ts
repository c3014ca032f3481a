import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { keyOperations } from "../packages/server/src/accounts/operator/keys.ts";
import { defineShape } from "../packages/server/src/api/operation-shape.ts";
import { addOperations } from "../packages/server/src/http/add-operations.ts";
import { checkNames, describeService } from "../packages/server/src/http/openapi/describe-service.ts";
import { endpointsOf } from "../packages/server/src/api/endpoints.ts";
import { defineOperation } from "../packages/server/src/api/operation.ts";
import { operations } from "./operations.ts";
import { openTeamServer, type TeamServer } from "./team-server.ts";

/** What somebody would write who adds an operation: this, and one line in the table. */
const greet = defineOperation({
  line: "POST /v2/greet/{name}",
  tag: "Greetings",
  summary: "Say hello",
  endpoint: "greet",
  rate: "crawl",
  params: { name: { type: "string", examples: ["Ann"] } },
  query: z.object({ times: z.coerce.number().int().min(1).max(3).default(1) }),
  body: defineShape("GreetRequest", z.strictObject({ word: z.string().default("Hello") }), {
    word: "Good day",
  }),
  answer: defineShape("GreetAnswer", z.strictObject({ success: z.literal(true), text: z.string() }), {
    success: true,
    text: "Good day Ann",
  }),
  errors: [402],
  maxBodyBytes: 100,
  takesIdempotencyKey: true,
  permit({ caller }) {
    if (caller.team.name === "mute") throw new Error("of the test");
  },
  handle({ params, query, body, caller, idempotencyKey }, { mark }: { readonly mark: string }) {
    const text = `${body.word} ${params.name} of ${caller.team.name}${mark.repeat(query.times)}`;
    return { success: true, text: idempotencyKey === undefined ? text : `${text} ${idempotencyKey}` };
  },
});

const table = [...operations, greet];

interface Described {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

let teams: TeamServer;

beforeAll(async () => {
  teams = await openTeamServer((scope) => addOperations(scope, [greet], { mark: "!" }), endpointsOf(table));
});

describe("an operation that is one file and one line in the table", () => {
  test("is answered, with its parts checked", async () => {
    const { ask } = await teams.makeTeam();
    expect(await ask("POST /v2/greet/Ann?times=2", { word: "Hi" })).toEqual([
      200,
      { success: true, text: "Hi Ann of team!!" },
    ]);
    expect(await ask("POST /v2/greet/Ann")).toEqual([200, { success: true, text: "Hello Ann of team!" }]);
    expect(await ask("POST /v2/greet/Ann?times=4", {})).toMatchObject([
      400,
      { details: [{ path: ["times"] }] },
    ]);
    expect(await ask("POST /v2/greet/Ann", { wrong: 1 })).toMatchObject([
      400,
      { error: expect.stringContaining("Unrecognized key"), details: [{ keys: ["wrong"] }] },
    ]);
  });

  test("takes no larger body than it says", async () => {
    const { ask } = await teams.makeTeam();
    expect((await ask("POST /v2/greet/Ann", { word: "x".repeat(100) }))[0]).toBe(413);
  });

  test("takes a UUID as its idempotency key", async () => {
    const { apiKey } = await teams.makeTeam();
    const key = "019a1feb-a30f-7a27-af2c-143e82602e53";
    for (const name of ["x-idempotency-key", "idempotency-key"]) {
      const headers = { authorization: `Bearer ${apiKey}` };
      const good = await teams.server.ask("POST /v2/greet/Ann", { headers: { ...headers, [name]: key } });
      expect(good.body).toEqual({ success: true, text: `Hello Ann of team! ${key}` });
      const bad = await teams.server.ask("POST /v2/greet/Ann", { headers: { ...headers, [name]: "mine" } });
      expect([bad.status, bad.body]).toMatchObject([400, { error: "Invalid idempotency key" }]);
    }
  });

  test("refuses who may not ask before it looks at what is asked for", async () => {
    const { teamId, ask } = await teams.makeTeam();
    await teams.accounts.administration.changeTeam(teamId, { name: "mute" });
    expect((await ask("POST /v2/greet/Ann", { wrong: 1 }))[0]).toBe(500);
  });

  test("needs a key, and counts by its rate", async () => {
    expect((await teams.server.ask("POST /v2/greet/Ann")).status).toBe(401);
    const { ask } = await teams.makeTeam({ limits: { requestsPerMinute: 1 } });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await ask("POST /v2/greet/Ann"))[0]);
    expect(statuses[0]).toBe(200);
    expect(statuses).toContain(429);
  });

  test("is what a key can be restricted to", async () => {
    const { teamId } = await teams.makeTeam();
    const statusWith = async (endpoint: string) => {
      const restrictions = { endpoints: [endpoint] };
      const { apiKey } = await teams.accounts.administration.createKey({ teamId, restrictions });
      const headers = { authorization: `Bearer ${apiKey}` };
      return (await teams.server.ask("POST /v2/greet/Ann", { headers })).status;
    };
    expect(await statusWith("greet")).toBe(200);
    expect(await statusWith("scrape")).toBe(403);
    await expect(statusWith("elsewhere")).rejects.toThrow("endpoints");
    const [create] = keyOperations(endpointsOf(table));
    const restrictions = { endpoints: ["greet"] };
    expect(create?.body?.schema.safeParse({ restrictions }).success).toBe(true);
  });

  test("is in the reference, with all that it says of itself", () => {
    const { tags, paths, components } = describeService(table, {
      publicUrl: undefined,
      hasDashboard: false,
    }) as Described;
    expect(tags.map(({ name }) => name)).toContain("Greetings");
    expect(paths["/v2/greet/{name}"]?.["post"]).toMatchObject({
      summary: "Say hello",
      parameters: [
        { name: "name", in: "path", required: true, schema: { examples: ["Ann"] } },
        { name: "times", in: "query", required: false, schema: { default: 1 } },
        { name: "x-idempotency-key", in: "header", required: false },
      ],
      requestBody: { content: { "application/json": { example: { word: "Good day" } } } },
      responses: { 200: {}, 400: {}, 401: {}, 402: {}, 403: {}, 409: {}, 413: {}, 429: {}, 500: {} },
    });
    expect(components.schemas).toMatchObject({
      GreetRequest: { properties: { word: { default: "Hello" } } },
      GreetAnswer: { required: ["success", "text"] },
    });
  });
});

test("two operations of one line, or two shapes of one name, are refused at the start", () => {
  const other = { ...greet, answer: defineShape("GreetAnswer", z.strictObject({}), {}) };
  expect(() => checkNames([greet, { ...other, line: "POST /v2/other" }])).toThrow(
    "Two shapes have the name GreetAnswer.",
  );
  expect(() => checkNames([greet, { ...greet, line: "POST /v2/greet/{word}" }])).toThrow(
    "Two operations answer POST /v2/greet/{word}",
  );
  expect(() => checkNames(operations)).not.toThrow();
});
