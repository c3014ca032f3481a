import { Firecrawl } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { uuidV7 } from "../../../packages/kit/src/uuid.ts";
import { makeTeam, operate, type TestTeam } from "../../operator.ts";
import { RunClient } from "../../runs.ts";
import { htmlPage } from "../../site.ts";
import { useSharedWorld } from "../../use-world.ts";

const world = useSharedWorld("keyed");
let url: string;

beforeAll(async () => {
  url = world.site.page("/page", htmlPage("<main><h1>Page</h1></main>"));
});

async function newTeam(credits = 100): Promise<{ readonly team: TestTeam; readonly runs: RunClient }> {
  const team = await makeTeam(world, { credits });
  return { team, runs: new RunClient(world, team.headers) };
}

describe("F-21 idempotency", () => {
  const ask = (runs: RunClient, body: object, headers: Readonly<Record<string, string>>) =>
    runs.ask("POST /v2/batch/scrape", body, headers);

  test("a key is accepted once", async () => {
    const { runs, team } = await newTeam();
    const client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: team.headers.authorization.slice(7) });
    const idempotencyKey = uuidV7();
    await client.startBatchScrape([url], { idempotencyKey });
    const again = await ask(runs, { urls: [url] }, { "x-idempotency-key": idempotencyKey.toUpperCase() });
    expect([again.status, again.body]).toEqual([
      409,
      { success: false, error: "Idempotency key already used" },
    ]);
    const { runs: others } = await newTeam();
    expect((await ask(others, { urls: [url] }, { "idempotency-key": idempotencyKey })).status).toBe(200);
  });

  test("a key that is none is refused", async () => {
    const { runs } = await newTeam();
    const { status, body } = await ask(runs, { urls: [url] }, { "idempotency-key": "x" });
    expect([status, body.error]).toEqual([400, "Invalid idempotency key"]);
  });

  test("requests that are refused leave the key free", async () => {
    const { runs } = await newTeam(1);
    const headers = { "idempotency-key": uuidV7() };
    expect((await ask(runs, { urls: [] }, headers)).status).toBe(400);
    expect((await ask(runs, { urls: [url, url] }, headers)).status).toBe(402);
    expect((await ask(runs, { urls: [url] }, headers)).status).toBe(200);
  });

  test("of two at once exactly one is accepted", async () => {
    const { runs } = await newTeam();
    const headers = { "x-idempotency-key": uuidV7() };
    const answers = await Promise.all([1, 2].map(() => ask(runs, { urls: [url] }, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe("F-24 ids", () => {
  test("that are none", async () => {
    const { runs } = await newTeam();
    for (const line of [
      "GET /v2/batch/scrape/x",
      "GET /v2/batch/scrape/x/errors",
      "DELETE /v2/batch/scrape/x",
    ]) {
      const { status, body } = await runs.ask(line);
      expect([status, body.error]).toEqual([400, "Invalid job ID format. Job ID must be a valid UUID."]);
    }
  });

  test("that nobody knows, and those of another team", async () => {
    const { runs } = await newTeam();
    const { runs: others } = await newTeam();
    const id = await runs.batch({ urls: [url] });
    for (const path of [uuidV7(), id].map((one) => `/v2/batch/scrape/${one}`)) {
      for (const line of [`GET ${path}`, `GET ${path}/errors`, `DELETE ${path}`]) {
        const { status, body } = await others.ask(line);
        expect([status, body]).toEqual([404, { success: false, error: "Job not found" }]);
      }
    }
    expect((await runs.endedBatch(id)).completed).toBe(1);
  });
});

describe("F-25 batch: credits", () => {
  test("fewer than pages are refused", async () => {
    const { runs, team } = await newTeam(3);
    const { status, body } = await runs.ask("POST /v2/batch/scrape", { urls: [url, url, url, url] });
    expect([status, body.code]).toEqual([402, "insufficient_credits"]);
    expect(await team.remaining()).toBe(3);
  });

  test("pages are charged, failures are not", async () => {
    const { runs, team } = await newTeam(3);
    const id = await runs.batch({ urls: [url, url, "http://127.0.0.1:1/nowhere"], maxAge: 0 });
    const done = await runs.endedBatch(id);
    const ofDocuments = done.data.reduce((sum, { metadata }) => sum + metadata.creditsUsed, 0);
    expect([done.creditsUsed, ofDocuments, await team.remaining()]).toEqual([2, 2, 1]);
  });

  test("that run out stop the rest, and say so", async () => {
    const { runs, team } = await newTeam(10);
    const urls = Array.from({ length: 10 }, () => url);
    const id = await runs.batch({ urls, maxAge: 0, redactPII: true });
    const done = await runs.endedBatch(id);
    const { errors } = (await runs.ask(`GET /v2/batch/scrape/${id}/errors`)).body;
    expect(done).toMatchObject({ status: "completed", total: done.completed });
    expect(done.completed + errors.length).toBe(10);
    expect(done.creditsUsed).toBe(10 - (await team.remaining()));
    expect(done.warning).toBe("Stopped: the credits are used up.");
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["insufficient_credits"]));
  });
});

test("the order of the checks: body, permissions, key, credits", async () => {
  const team = await makeTeam(world, { credits: 1, flags: { zeroDataRetention: "off" } });
  const runs = new RunClient(world, team.headers);
  const headers = { "idempotency-key": "x" };
  const many = { urls: [url, url] };
  const messageOf = async (body: object) =>
    (await runs.ask("POST /v2/batch/scrape", body, headers)).body.error;
  expect(await messageOf({ urls: [] })).toBe("Bad Request: urls must not be empty");
  expect(await messageOf({ ...many, zeroDataRetention: true })).toMatch(/^Zero Data Retention/);
  expect(await messageOf(many)).toBe("Invalid idempotency key");
});

test("a key that is restricted to formats reads no others", async () => {
  const { runs, team } = await newTeam();
  const id = await runs.batch({ urls: [url], formats: ["html"] });
  await runs.endedBatch(id);
  const { body: key } = await operate(world, `POST teams/${team.teamId}/keys`, {
    restrictions: { formats: ["markdown"] },
  });
  const narrow = new RunClient(world, { authorization: `Bearer ${key.apiKey}` });
  expect((await narrow.ask(`GET /v2/batch/scrape/${id}`)).status).toBe(403);
});

test("F-100 rates: batches count as crawls do", async () => {
  const team = await makeTeam(world, { credits: 100, limits: { requestsPerMinute: 10 } });
  const runs = new RunClient(world, team.headers);
  const start = () => runs.ask("POST /v2/batch/scrape", { urls: [url] });
  expect([(await start()).status, (await start()).status]).toEqual([200, 200]);
  const { status, body } = await start();
  expect([status, Object.keys(body)]).toEqual([429, ["error"]]);
});
