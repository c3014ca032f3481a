import { mkdir } from "node:fs/promises";

import type { Config } from "../config/config.ts";
import { type Context, reporter } from "../config/context.ts";
import type { BlobStore } from "./blobs/blob-store.ts";
import { openBlobs } from "./blobs/drivers.ts";
import type { Coordinator } from "./coordination/coordinator.ts";
import { openCoordinator } from "./coordination/drivers.ts";
import { blobFolder, checkDataFiles, databaseFile, type FoundFiles } from "./data-files.ts";
import type { Database } from "./database/database.ts";
import { openDatabase } from "./database/drivers.ts";
import { type Mail, openMail } from "./mail/mail.ts";
import { noted, PartHealth, PARTS } from "./part-health.ts";
import { openSecrets, type Secrets } from "./secrets/secrets.ts";
import { AllTeamData } from "./team-data.ts";

interface Stores {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly coordinator: Coordinator;
}

/** All persistent stores, and the observed health of the parts of the service. */
export interface Storage extends Stores {
  readonly secrets: Secrets;
  readonly teamData: AllTeamData;
  readonly health: PartHealth;
  /** Undefined when no mail server is configured. */
  readonly mail: Mail | undefined;
}

export async function openStorage(context: Context): Promise<Storage> {
  const { config, log, resources } = context;
  const stores = await openStores(context);
  const { database } = stores;
  const { secretKeys: keys, secretKeyFile: keyFile } = config.stores;
  const teamData = new AllTeamData(database);
  const onError = reporter(log, "The health of parts could not be written.");
  const health = teamData.add(new PartHealth({ database, onError }));
  resources.add(health, (opened) => opened.close());
  const mail = openMailServer(config, health);
  return { ...stores, secrets: await openSecrets({ keys, keyFile }), teamData, health, mail };
}

function openMailServer({ mail: { server } }: Config, health: PartHealth): Mail | undefined {
  if (!server) return undefined;
  const mail = openMail(server);
  return {
    send: (message, signal) => noted(health, { part: PARTS.mail }, () => mail.send(message, signal), signal),
  };
}

/** Opens the stores and migrates the database to the newest version. */
export async function openStores({ config, log, resources }: Context): Promise<Stores> {
  const { dataDir, databaseUrl, databaseDirectUrl: directUrl, blobsUrl } = config.stores;
  const found = await checkDataFiles(config);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const warning of found.warnings) log.warn(warning);
  const database = resources.add(await openDatabase(databaseUrl, { directUrl }), (opened) => opened.close());
  resources.whenIdle(() => database.letGo?.());
  for (const damage of (await database.inspect?.()) ?? []) log.error(damage);
  const isNew = (await database.migrate()) === 0;
  await database.endLeasesOfDead?.();
  // The database of several machines says nothing about the folder of this machine.
  const isOwn = databaseUrl.startsWith("sqlite:");
  for (const loss of !isOwn ? [] : isNew ? besideNoDatabase(config, found) : besideDatabase(config, found))
    log.warn(loss);
  const lostKey = isOwn && !found.hasSecretKey ? await besideNoKey(config, database) : undefined;
  if (lostKey !== undefined) log.error(lostKey);
  const blobs = resources.add(await openBlobs(blobsUrl), (opened) => opened.close());
  const onError = reporter(log, "Limits could not be synchronised with other processes.");
  const coordinator = await openCoordinator({ url: databaseUrl, database, onError });
  resources.add(coordinator, (opened) => opened.close());
  return { database, blobs, coordinator };
}

/** Files beside a missing database show that a database was lost. */
function besideNoDatabase(config: Config, { hasSecretKey, hasBlobs }: FoundFiles): readonly string[] {
  const rest = [
    ...(hasSecretKey ? [config.stores.secretKeyFile] : []),
    ...(hasBlobs ? [blobFolder(config) ?? ""] : []),
  ];
  if (rest.length === 0) return [];
  return [
    `The database ${databaseFile(config) ?? ""} was missing or empty, but ${rest.join(" and ")} of an earlier database exists. A new database was created, without the earlier teams, keys, credits and history. If you need them, stop the service and restore a backup: pergamon restore FILE --replace`,
  ];
}

/** Tables with encrypted columns → what their rows are, and what to do once the key is gone. */
const ENCRYPTED = [
  ["profiles", "saved profiles are lost"],
  ["webhook_secrets", "webhooks of teams with a secret wait until `pergamon webhooks secret --rotate`"],
  ["settings", "settings of the dashboard do not apply until they are set again"],
  ["monitors", "monitors fail until they are created again"],
  ["webhook_receivers", "jobs under way fail, and their webhooks are not sent"],
] as const;

/** What a new key costs, when an earlier one has encrypted something. */
async function besideNoKey({ stores }: Config, database: Database): Promise<string | undefined> {
  if (stores.secretKeys.length > 0) return undefined;
  const counted = await Promise.all(
    ENCRYPTED.map(async ([table, cost]) => {
      const row = await database.prepared(`SELECT 1 FROM ${table} LIMIT 1`).get();
      return row === undefined ? [] : [cost];
    }),
  );
  const costs = counted.flat();
  if (costs.length === 0) return undefined;
  return `${stores.secretKeyFile} was missing, but a database exists that was encrypted with it. A new key is made: ${costs.join("; ")}. If you have the file in a backup, stop the service and put it back.`;
}

function besideDatabase(config: Config, { hasBlobFolder }: FoundFiles): readonly string[] {
  const folder = blobFolder(config);
  if (folder === undefined || hasBlobFolder) return [];
  return [
    `${folder} was missing, but a database exists: its cached pages, documents, files and profiles are lost. If you need them, stop the service and put the folder back, or restore a backup: pergamon restore FILE --replace`,
  ];
}
