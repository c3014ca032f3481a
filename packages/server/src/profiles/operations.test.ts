import { join } from "node:path";

import { beforeAll, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { openTeamServer, type TeamClient, type TeamServer } from "../../../../test/team-server.ts";
import { openBlobs } from "../storage/blobs/drivers.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import { openProfiles, type Profiles } from "./profiles.ts";
import { addOperations } from "../http/add-operations.ts";
import { profileOperations } from "./operations.ts";

const NOW_MS = Date.UTC(2026, 4, 1);
const NOW = new Date(NOW_MS).toISOString();

const folder = testFolder();
let teams: TeamServer;
let profiles: Profiles;
let team: TeamClient;

beforeAll(async () => {
  const blobs = await openBlobs("memory:");
  const secrets = await openSecrets({ keys: [], keyFile: join(folder, "key") });
  teams = await openTeamServer((scope, { database }) => {
    profiles = openProfiles({ database, blobs, secrets, clock: () => NOW_MS });
    addOperations(scope, profileOperations, profiles);
  });
});

beforeEach(async () => {
  team = await teams.makeTeam();
});

async function saveProfile(teamId: string, name: string): Promise<void> {
  const writer = await profiles.openWriter({ teamId, name });
  await writer.save({ cookies: [], origins: [] });
  await writer.release();
}

const remove = (name: string) => team.ask(`DELETE /v2/browser/profiles/${encodeURIComponent(name)}`);
const list = () => team.ask("GET /v2/browser/profiles");

test("profiles are listed by name, with their size and times, and nothing of what is in them", async () => {
  await saveProfile(team.teamId, "b");
  const writer = await profiles.openWriter({ teamId: team.teamId, name: "a" });
  expect(await list()).toEqual([
    200,
    {
      success: true,
      profiles: [
        { name: "a", sizeBytes: 0, createdAt: NOW, savedAt: null, isLocked: true },
        { name: "b", sizeBytes: expect.any(Number), createdAt: NOW, savedAt: NOW, isLocked: false },
      ],
    },
  ]);
  await writer.release();
});

test.each([
  "shop",
  "Shop / ünïcode",
  "a?b#c%d&e=f",
  "%2e%2e",
  "x".repeat(128),
  "漢".repeat(128),
  "' OR '1'='1",
  "__proto__",
])("the profile %s is deleted by its name, and no other", async (name) => {
  await saveProfile(team.teamId, "other");
  await saveProfile(team.teamId, name);
  expect(await remove(name)).toEqual([200, { success: true }]);
  expect((await list())[1]).toMatchObject({ profiles: [{ name: "other" }] });
});

test("one that is not there is told as such, in the same words as another team's", async () => {
  const other = await teams.makeTeam();
  await saveProfile(other.teamId, "theirs");
  const missing = [404, { success: false, error: "Profile not found." }];
  expect(await remove("theirs")).toEqual(missing);
  expect(await remove("nobody's")).toEqual(missing);
  expect((await list())[1]).toEqual({ success: true, profiles: [] });
  expect((await other.ask("GET /v2/browser/profiles"))[1]).toMatchObject({ profiles: [{ name: "theirs" }] });
});

test("one that a session writes to stays, with 409", async () => {
  const writer = await profiles.openWriter({ teamId: team.teamId, name: "busy" });
  const [status, body] = await remove("busy");
  expect([status, body]).toMatchObject([409, { success: false, code: "PROFILE_LOCKED" }]);
  await writer.release();
  expect((await remove("busy"))[0]).toBe(200);
});

test.each(["GET /v2/browser/profiles", "DELETE /v2/browser/profiles/x"])(
  "%s is for known callers",
  async (line) => {
    expect((await teams.server.ask(line)).status).toBe(401);
  },
);
