import { stat } from "node:fs/promises";

import type { Inspection } from "../../cli/program.ts";
import type { Config } from "../../config/config.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { sqliteFile } from "../../storage/database/sqlite-url.ts";
import { openSecrets } from "../../storage/secrets/secrets.ts";
import { readPartStates } from "../../storage/part-health.ts";
import { SettingStore } from "../../storage/settings/stored-settings.ts";
import { configWithStored } from "./stored-config.ts";

/** If the database does not answer in this time, the other parts are inspected all the same. */
const READ_MS = 10_000;
/** Errors of a database of an older version, which the next start upgrades. */
const NO_TABLE = /no such table|does not exist/;

/** Reads the stored data that describes how the service works, without changing anything. */
export async function inspectStored(config: Config): Promise<Inspection> {
  const file = sqliteFile(config.stores.databaseUrl);
  if (file !== undefined && !(await hasContent(file))) return { config, partStates: [] };
  const opening = openDatabase(config.stores.databaseUrl, { directUrl: config.stores.databaseDirectUrl });
  const reading = opening.then((database) => readAll(database, config).finally(() => database.close()));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${READ_MS / 1000} seconds.`)), READ_MS);
  });
  try {
    return await Promise.race([reading, late]);
  } catch (failure) {
    const problem = failure instanceof Error ? failure.message : String(failure);
    return { config, partStates: [], problem };
  } finally {
    clearTimeout(timer);
    reading.catch(() => undefined);
  }
}

async function readAll(database: Database, config: Config): Promise<Inspection> {
  const partStates = await readPartStates(database).catch(orNothing([]));
  return { config: await storedConfig(database, config), partStates };
}

async function storedConfig(database: Database, config: Config): Promise<Config> {
  const { secretKeys: keys, secretKeyFile: keyFile } = config.stores;
  // The service makes a missing key. An inspection must not.
  if (keys.length === 0 && !(await hasContent(keyFile))) return config;
  const store = new SettingStore(database, await openSecrets({ keys, keyFile }));
  const stored = await store.read().catch(orNothing(undefined));
  return stored ? configWithStored(config, stored.values) : config;
}

function orNothing<Nothing>(nothing: Nothing): (failure: unknown) => Nothing {
  return (failure) => {
    if (failure instanceof Error && NO_TABLE.test(failure.message)) return nothing;
    throw failure;
  };
}

async function hasContent(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}
