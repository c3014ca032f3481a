import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTeamServer, type TeamClient, type TeamServer } from "../../../../test/team-server.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openBlobs } from "../storage/blobs/drivers.ts";
import { type Feedback, openFeedback } from "./feedback.ts";
import { openRecords, type Records } from "./records.ts";
import { addOperations } from "../http/add-operations.ts";
import { giveFeedback, giveSearchFeedback } from "./feedback-operations.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let teams: TeamServer;
let team: TeamClient;
let records: Records;
let feedback: Feedback;
let nowMs = Date.now();

beforeAll(async () => {
  const blobs = await openBlobs("memory:");
  teams = await openTeamServer((scope, { database }) => {
    records = openRecords({ database, blobs });
    feedback = openFeedback(database, () => nowMs);
    addOperations(scope, [giveFeedback, giveSearchFeedback], { feedback, records });
  });
  team = await teams.makeTeam();
});

afterAll(async () => {
  await records.close();
  await teams.close();
});

function addScrape(teamId: string, kind?: "search"): string {
  const id = uuidV7();
  const record = {
    id,
    teamId,
    url: "https://a.test/",
    creditsUsed: 1,
    durationMs: 1,
    createdAtMs: Date.now(),
  };
  records.add({ ...record, kind, status: "failed" });
  return id;
}

const word = (jobId: string, more: object = {}) => ({ endpoint: "scrape", jobId, rating: "bad", ...more });
const listed = (teamId: string) => feedback.list({ teamId, limit: 10, cursor: undefined });

describe("feedback on a scrape (F9)", () => {
  test("is kept as it was said, for the operator", async () => {
    const jobId = addScrape(team.teamId);
    const content = {
      endpoint: "scrape",
      rating: "partial",
      issues: ["missing_content"],
      tags: ["Ä"],
      note: "Half of it.",
      url: "https://a.test/",
      pageNumbers: [1, 3],
      valuableSources: [{ url: "https://b.test/", reason: "whole" }],
      missingContent: [{ topic: "prices", description: "the table" }],
      querySuggestions: "prices of 2026",
      metadata: { page: { depth: 1 } },
    };
    const sent = { ...content, jobId, origin: "js-sdk@4.42.0", integration: "cli" };
    const [status, body] = await team.ask("POST /v2/feedback", sent);
    expect([status, body]).toEqual([
      200,
      { success: true, feedbackId: expect.stringMatching(/^[0-9a-f-]{36}$/), creditsRefunded: 0 },
    ]);
    const [entry] = await listed(team.teamId);
    expect(entry).toMatchObject({ id: body["feedbackId"], jobId, teamId: team.teamId, keyId: team.keyId });
    expect(entry?.content).toEqual(content);
  });

  test("is kept once: what was said first stays", async () => {
    const jobId = addScrape(team.teamId);
    const words = Array.from({ length: 5 }, (_, index) => word(jobId, { note: `${index}` }));
    const answers = await Promise.all(words.map((body) => team.ask("POST /v2/feedback", body)));
    expect(new Set(answers.map(([, body]) => body["feedbackId"])).size).toBe(1);
    expect(answers.filter(([, body]) => body["alreadySubmitted"] === undefined)).toHaveLength(1);
    expect((await listed(team.teamId)).filter((entry) => entry.jobId === jobId)).toHaveLength(1);
  });

  test("on provider tools belongs to no job, and each is kept", async () => {
    const content = {
      endpoint: "alexandria",
      rationale: "Timetables of ferries",
      requestedWebsite: { url: "https://ferries.test/", requestedFunctionality: "departures" },
      providerFeedback: [{ provider: "wikipedia", rating: "good" }],
      capabilityFeedback: [],
    };
    const other = await teams.makeTeam();
    for (const origin of ["mcp-test@1", "mcp-test@2"]) {
      const [status, body] = await other.ask("POST /v2/feedback", { ...content, origin });
      expect([status, body["alreadySubmitted"]]).toEqual([200, undefined]);
    }
    const kept = await listed(other.teamId);
    expect(kept.map((entry) => entry.content)).toEqual([content, content]);
    const [status] = await other.ask("POST /v2/feedback", { ...content, jobId: uuidV7() });
    expect(status).toBe(400);
  });

  test("on a search is kept by either route, once", async () => {
    const jobId = addScrape(team.teamId, "search");
    const said = {
      rating: "good",
      valuableSources: [{ url: "https://b.test/" }],
      querySuggestions: "prices",
    };
    const kept = await team.ask(`POST /v2/search/${jobId}/feedback`, { ...said, integration: "mcp" });
    expect(kept).toEqual([
      200,
      {
        success: true,
        feedbackId: expect.any(String) as string,
        creditsRefunded: 0,
        alreadySubmitted: false,
        dailyCapReached: false,
        creditsRefundedToday: 0,
        dailyRefundCap: 0,
      },
    ]);
    const entry = (await listed(team.teamId)).find((one) => one.jobId === jobId);
    expect(entry?.content).toEqual({ endpoint: "search", ...said });
    const [status, again] = await team.ask("POST /v2/feedback", word(jobId, { endpoint: "search" }));
    expect([status, again["alreadySubmitted"]]).toEqual([200, true]);
    for (const id of [addScrape(team.teamId), uuidV7(), "nonsense"])
      expect((await team.ask(`POST /v2/search/${id}/feedback`, said))[0]).toBe(404);
    for (const refused of [
      { rating: "great" },
      { rating: "good" },
      { rating: "good", valuableSources: [] },
      { rating: "good", missingContent: [{ topic: "prices" }] },
      { rating: "bad" },
      { rating: "bad", missingContent: [], querySuggestions: " " },
      { rating: "bad", missingContent: [{ topic: "" }] },
    ])
      expect((await team.ask(`POST /v2/search/${jobId}/feedback`, refused))[0]).toBe(400);
  });

  test("is refused for what the team has not done", async () => {
    const other = await teams.makeTeam();
    const jobId = addScrape(other.teamId);
    const known = addScrape(team.teamId);
    for (const body of [word(jobId), word(uuidV7()), word(known, { endpoint: "search" })]) {
      expect(await team.ask("POST /v2/feedback", body)).toEqual([
        404,
        { success: false, error: "Job not found." },
      ]);
    }
    expect(await listed(other.teamId)).toEqual([]);
  });

  test.each([
    ["rating", "great"],
    ["missingContent", [{ topic: "" }]],
    ["endpoint", "crawl"],
    ["jobId", "1"],
    ["issues", ["not a slug"]],
    ["issues", ["x".repeat(81)]],
    ["issues", Array.from({ length: 21 }, () => "x")],
    ["tags", Array.from({ length: 21 }, () => "x")],
    ["note", "x".repeat(4001)],
    ["pageNumbers", [0]],
    ["valuableSources", [{ reason: "x" }]],
    ["missingContent", [{ topic: "x".repeat(201) }]],
    ["metadata", { a: "x".repeat(8200) }],
  ])("is refused with a bad %s: %j", async (name, value) => {
    const body = word(addScrape(team.teamId), { [name]: value });
    const [status, answer] = await team.ask("POST /v2/feedback", body);
    expect([status, answer]).toMatchObject([400, { code: "BAD_REQUEST" }]);
    expect((answer["details"] as readonly { path: readonly unknown[] }[])[0]?.path[0]).toBe(name);
  });

  test("is erased with its team, and pruned after a year", async () => {
    const other = await teams.makeTeam();
    const jobId = addScrape(other.teamId);
    await other.ask("POST /v2/feedback", word(jobId));
    await feedback.erase(team.teamId);
    expect(await listed(team.teamId)).toEqual([]);
    await feedback.prune();
    expect(await listed(other.teamId)).toHaveLength(1);
    nowMs += 366 * DAY_MS;
    await feedback.prune();
    nowMs -= 366 * DAY_MS;
    expect(await listed(other.teamId)).toEqual([]);
  });

  test("said while its team was deleted goes with the next pruning", async () => {
    const { teamId } = await teams.makeTeam();
    await teams.accounts.administration.deleteTeam(teamId);
    const content = { endpoint: "scrape", rating: "bad" } as const;
    await feedback.add({ teamId, keyId: undefined, jobId: uuidV7(), content });
    await feedback.prune();
    expect(await listed(teamId)).toEqual([]);
  });
});
