import { resolve } from "node:path";

import { z } from "zod";

import { assertBlobsUrl } from "../platform/blobs/drivers.ts";
import { assertDatabaseUrl } from "../platform/database/drivers.ts";
import { isKey } from "../platform/secrets/key-file.ts";
import { checkedBy, choice, list, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const GIBIBYTE = 1024 ** 3;
const PEBIBYTE = 1024 ** 5;

const Key = z
  .string()
  .refine(isKey, { error: "must be 32 bytes in base64, such as openssl rand -base64 32 makes" });

/** What is kept, where, and sealed with which keys. */
export const stores = definePart({
  title: "Stores",
  settings: z.object({
    DATA_DIR: z
      .string()
      .default("./data")
      .describe(
        "folder of everything embedded: database, blobs, `secret.key` (without it saved profiles are lost: [backups](operations.md#backups))",
      ),
    SECRET_KEY: list(Key).default([]).meta({
      description: "key of sealed data and links: 32 bytes in base64, older ones behind commas",
      unset: "a file in `DATA_DIR`",
    }),
    DATABASE_URL: checkedBy(assertDatabaseUrl)
      .optional()
      .meta({ description: "the database", unset: "`sqlite:` in `DATA_DIR`" }),
    BLOBS_URL: checkedBy(assertBlobsUrl).optional().meta({
      description: "stored pages and documents; `memory:` keeps them until the stop",
      unset: "`file:` in `DATA_DIR`",
    }),
    CACHE_MAX_BYTES: wholeNumber({ most: PEBIBYTE })
      .default(5 * GIBIBYTE)
      .meta({ description: "size of the page cache in bytes; pruned oldest first", unset: "5 GiB" }),
    CACHE_SCOPE: choice("instance", "team")
      .default("instance")
      .describe(
        "whom a cached page answers: `instance`, every team; `team`, the one that had it fetched. Pages kept under one are not found under the other",
      ),
  }),
  derive: (settings, { dataDir }) => ({
    dataDir,
    /** Keys of sealed data, newest first; empty: those of the key file. */
    secretKeys: settings.SECRET_KEY,
    secretKeyFile: resolve(dataDir, "secret.key"),
    databaseUrl: settings.DATABASE_URL ?? `sqlite:${resolve(dataDir, "pergamon.db")}`,
    blobsUrl: settings.BLOBS_URL ?? `file:${resolve(dataDir, "blobs")}`,
    cacheMaxBytes: settings.CACHE_MAX_BYTES,
    cacheScope: settings.CACHE_SCOPE,
  }),
});
