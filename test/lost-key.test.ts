import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";

import { pino } from "pino";
import { beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { openBlobs } from "../packages/server/src/storage/blobs/drivers.ts";
import { openSecrets } from "../packages/server/src/storage/secrets/secrets.ts";
import { openProfiles } from "../packages/server/src/profiles/profiles.ts";
import { openWorld } from "./world.ts";

const dataDir = testFolder();

beforeAll(async () => {
  const database = await openDatabase(`sqlite:${dataDir}/pergamon.db`);
  await database.migrate();
  const blobs = await openBlobs(`file:${dataDir}/blobs`);
  const secrets = await openSecrets({ keys: [], keyFile: join(dataDir, "secret.key") });
  const profiles = openProfiles({ database, blobs, secrets });
  const writer = await profiles.openWriter({ teamId: "default", name: "shop" });
  await writer.save({ cookies: [], origins: [] });
  await writer.release();
  const team = await database.prepared<{ readonly id: string }>("SELECT id FROM teams").get();
  const row = [team?.id ?? "", "sealed", 0];
  await database
    .prepared("INSERT INTO webhook_secrets (team_id, secret, created_at) VALUES (?, ?, ?)")
    .run(...row);
  await database.close();
});

/** A start, and what it logged by the time it was over. */
async function logOfStart(): Promise<string> {
  let logged = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  const world = await openWorld({ DATA_DIR: dataDir }, pino({ level: "error" }, sink));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await world.close();
  return logged;
}

test("a start with the key is quiet, one that has lost it says which key is needed and what to do", async () => {
  expect(await logOfStart()).toBe("");
  await rm(join(dataDir, "secret.key"));
  const logged = await logOfStart();
  expect(logged).toContain(`The saved state of the profile \\"shop\\" cannot be read.`);
  expect(logged).toMatch(
    /secret\.key was missing, but .*saved profiles are lost; webhooks of teams with a secret wait until/,
  );
  expect(logged).toMatch(
    /sealed with key [0-9a-f]{16}; this service has key [0-9a-f]{16}\. Restore .*secret\.key/,
  );
});

test("a key file that is no key stops the start, and stays as it is", async () => {
  await writeFile(join(dataDir, "secret.key"), "no key\n");
  await expect(openWorld({ DATA_DIR: dataDir })).rejects.toThrow(
    /secret\.key holds no key.*Restore it from a backup/,
  );
});
