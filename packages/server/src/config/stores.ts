import { resolve } from "node:path";

import { z } from "zod";

import { assertBlobsUrl } from "../storage/blobs/drivers.ts";
import { assertDatabaseUrl } from "../storage/database/drivers.ts";
import { parsePostgresUrl } from "../storage/database/postgres-url.ts";
import { isKey } from "../storage/secrets/key-file.ts";
import { checkedBy, choice, list, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const GIBIBYTE = 1024 ** 3;
const PEBIBYTE = 1024 ** 5;

const Key = z
  .string()
  .refine(isKey, { error: "must be 32 bytes in base64, such as the output of openssl rand -base64 32" });

/** Stored data: places, retention, and encryption keys. */
export const stores = definePart({
  title: "Stores",
  settings: z.object({
    DATA_DIR: z
      .string()
      .default("./data")
      .describe(
        "folder of the embedded database, the blobs and `secret.key` ([what is lost without that file](operations.md#lost-keys))",
      ),
    SECRET_KEY: list(Key).default([]).meta({
      description:
        "key for encrypted data and signed links: 32 bytes in base64, followed by older keys, separated by commas",
      unset: "a file in `DATA_DIR`; required with Postgres",
    }),
    DATABASE_URL: checkedBy(assertDatabaseUrl).optional().meta({
      description:
        "URL of the database: `sqlite:` and a file, or `postgres://user:password@host:5432/name` for several machines ([scaling](scaling.md))",
      unset: "`sqlite:` in `DATA_DIR`",
    }),
    DATABASE_DIRECT_URL: checkedBy(parsePostgresUrl).optional().meta({
      description:
        "URL of the same Postgres database without the pooler, if `DATABASE_URL` leads to a pooler in transaction mode",
      unset: "`DATABASE_URL`",
    }),
    BLOBS_URL: checkedBy(assertBlobsUrl).optional().meta({
      description:
        "URL of the store for pages and documents: `file:` and a folder, `s3://KEY_ID:SECRET@endpoint/bucket` ([scaling](scaling.md)), or `memory:`, which keeps them until the service stops",
      unset: "`file:` in `DATA_DIR`; required with Postgres",
    }),
    BACKUP_DIR: z.string().optional().meta({
      description:
        "folder for the backups that the dashboard makes; only the user of the service can read it ([backups](operations.md#back-up-and-restore))",
      unset: "`backups` in `DATA_DIR`",
    }),
    CACHE_MAX_BYTES: wholeNumber({ most: PEBIBYTE })
      .default(5 * GIBIBYTE)
      .meta({
        description: "maximum size of the page cache in bytes; the oldest pages are deleted first",
        unset: "5 GiB",
      }),
    CACHE_SCOPE: choice("instance", "team")
      .default("instance")
      .describe(
        "who shares cached pages: `instance`, all teams; `team`, only the team that fetched them. After a change, pages stored under the other scope are not found",
      ),
  }),
  derive: (settings, { dataDir }) => ({
    dataDir,
    /** Encryption keys, newest first. When empty, the key file is used. */
    secretKeys: settings.SECRET_KEY,
    secretKeyFile: resolve(dataDir, "secret.key"),
    databaseUrl: settings.DATABASE_URL ?? `sqlite:${resolve(dataDir, "pergamon.db")}`,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    blobsUrl: settings.BLOBS_URL ?? `file:${resolve(dataDir, "blobs")}`,
    backupDir: resolve(settings.BACKUP_DIR ?? resolve(dataDir, "backups")),
    cacheMaxBytes: settings.CACHE_MAX_BYTES,
    cacheScope: settings.CACHE_SCOPE,
  }),
});
