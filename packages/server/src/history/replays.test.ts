import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openSecrets, type Secrets } from "../storage/secrets/secrets.ts";
import { openReplays } from "./replays.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const folder = testFolder();
let database: Database;
let secrets: Secrets;
let nowMs = 0;

beforeAll(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  secrets = await openSecrets({ keys: [], keyFile: join(folder, "key") });
});

afterAll(() => database.close());

function open(other: Secrets = secrets) {
  return openReplays({ database, secrets: other, clock: () => nowMs });
}

const recipe = JSON.stringify({ url: "https://a.test/", headers: { authorization: "hidden-password" } });

async function add(more: { readonly teamId?: string; readonly recipe?: string | null } = {}) {
  const replay = { id: uuidV7(), teamId: "team", recipe, endedAtMs: nowMs, ...more };
  const replays = open();
  replays.add(replay);
  expect(await replays.find(replay.id)).toEqual(replay);
  await replays.flush();
  return replay;
}

test("a recipe is found at once, and by others once it is written", async () => {
  const replay = await add();
  expect(await open().find(replay.id)).toEqual(replay);
  expect(await open().find(uuidV7())).toBeUndefined();
});

test("what is kept tells no password", async () => {
  const { id } = await add();
  const row = await database.prepared("SELECT * FROM scrape_replays WHERE scrape_id = ?").get(id);
  expect(JSON.stringify(row)).not.toMatch(/hidden-password|a\.test/);
});

test("a scrape without a recipe stays known as such", async () => {
  const replay = await add({ recipe: null });
  expect(await open().find(replay.id)).toEqual(replay);
});

test("a recipe that was sealed with a lost key is none", async () => {
  const { id } = await add();
  const lost = await openSecrets({ keys: [], keyFile: join(folder, "other-key") });
  expect(await open(lost).find(id)).toMatchObject({ id, recipe: null });
});

test("it is found for a day, then deleted", async () => {
  const { id } = await add();
  nowMs += DAY_MS;
  expect(await open().find(id)).toBeDefined();
  await open().prune();
  expect(await open().find(id)).toBeDefined();
  nowMs += 1;
  expect(await open().find(id)).toBeUndefined();
  await open().prune();
  nowMs -= 1;
  expect(await open().find(id)).toBeUndefined();
});

test("what is erased is that of one team", async () => {
  const [mine, other] = [await add({ teamId: "erased" }), await add()];
  await open().erase("erased");
  expect(await open().find(mine.id)).toBeUndefined();
  expect(await open().find(other.id)).toBeDefined();
});
