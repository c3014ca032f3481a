import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTeamServer, type TeamClient, type TeamServer } from "../../../test/team-server.ts";
import { uuidV7 } from "../../kit/uuid.ts";
import { openBlobs } from "../../platform/blobs/drivers.ts";
import { openRecords, type Records } from "../../stores/scrapes/records.ts";
import { addInteractRoutes } from "./interact.ts";

let teams: TeamServer;
let team: TeamClient;
let records: Records;
let scrapeId: string;

beforeAll(async () => {
  const blobs = await openBlobs("memory:");
  teams = await openTeamServer((scope, { database }) => {
    records = openRecords({ database, blobs });
    addInteractRoutes(scope, records);
  });
  team = await teams.makeTeam();
  scrapeId = addScrape(team.teamId);
});

afterAll(async () => {
  await records.close();
  await teams.close();
});

function addScrape(teamId: string, createdAtMs = Date.now()): string {
  const id = uuidV7(createdAtMs);
  const record = { id, teamId, url: "https://a.test/", creditsUsed: 1, durationMs: 1, createdAtMs };
  records.add({ ...record, status: "completed" });
  return id;
}

describe("interacting is validated first (F13)", () => {
  test.each([
    ["neither code nor prompt", {}],
    ["empty code", { code: "" }],
    ["code of 100,001 characters", { code: "x".repeat(100_001) }],
    ["a language that is none", { code: "1", language: "perl" }],
    ["a timeout of 301 seconds", { code: "1", timeout: 301 }],
    ["a life of 29 seconds", { code: "1", ttl: 29 }],
    ["no object", []],
  ])("%s is a bad request", async (_what, body) => {
    const [status, answer] = await team.ask(`POST /v2/scrape/${scrapeId}/interact`, body);
    expect([status, answer]).toMatchObject([400, { success: false, code: "BAD_REQUEST" }]);
  });

  test("what is missing is said in words", async () => {
    const [, { error }] = await team.ask(`POST /v2/scrape/${scrapeId}/interact`, { language: "node" });
    expect(error).toBe("Either 'code' or 'prompt' must be provided.");
  });

  test.each(["POST", "DELETE"])("%s of what is no id is a bad request", async (method) => {
    const [status, { error }] = await team.ask(`${method} /v2/scrape/nowhere/interact`, { code: "1" });
    expect([status, error]).toEqual([400, "Invalid job ID format. Job ID must be a valid UUID."]);
  });
});

describe("then the scrape is looked for (F13)", () => {
  test("that nobody made, that another team made, or that is over", async () => {
    const other = await teams.makeTeam();
    const dayMs = 24 * 60 * 60 * 1000;
    const ids = [uuidV7(), addScrape(other.teamId), addScrape(team.teamId, Date.now() - dayMs - 1000)];
    for (const id of ids) {
      const [status, body] = await team.ask(`POST /v2/scrape/${id}/interact`, { prompt: "Look." });
      expect([status, body]).toEqual([404, { success: false, error: "Job not found." }]);
      const ended = await team.ask(`DELETE /v2/scrape/${id}/interact`);
      expect(ended).toEqual([404, { success: false, error: "Browser session not found." }]);
    }
  });

  test.each(["POST", "DELETE"])("%s of an own one is not built yet", async (method) => {
    const body = { code: "1", language: "bash", origin: "cli", integration: "cli", other: 1 };
    const [status, answer] = await team.ask(`${method} /v2/scrape/${scrapeId}/interact`, body);
    expect([status, answer]).toMatchObject([501, { success: false, code: "NOT_IMPLEMENTED" }]);
  });
});
