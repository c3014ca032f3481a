import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { lazy } from "@pergamon-dev/kit/lazy";
import { openDatabase } from "./drivers.ts";

const migrated = lazy(async () => {
  const folder = await mkdtemp(join(tmpdir(), "migrated-"));
  const database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
  await database.close();
  const bytes = await readFile(join(folder, "test.db"));
  await rm(folder, { recursive: true, force: true });
  return bytes;
});

/**
 * Writes an empty database that has been migrated: a copy, since the migrations take longer than most tests. Call
 * `migrate` all the same: suites that share a server have no file, and then this does nothing.
 */
export async function writeMigratedFile(path: string): Promise<void> {
  if (process.env["TEST_DATABASE_URL"] === undefined)
    await writeFile(path, await migrated(), { mode: 0o600 });
}
