import { createHash } from "node:crypto";
import { join, resolve } from "node:path";

/**
 * Servers on which suites run that otherwise use embedded stores: `npm run soak -- scale --part suites` sets them. Whatever is opened
 * as a file gets a schema, and a folder of the bucket, of its own: the same for the same file.
 */
const { TEST_DATABASE_URL, TEST_BLOBS_URL } = process.env;

/** Settings of a service with this data folder: none unless the stores are shared. */
export function sharedStores(dataDir: string): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  if (TEST_BLOBS_URL !== undefined) settings["BLOBS_URL"] = blobsAt(join(dataDir, "blobs"));
  if (TEST_DATABASE_URL === undefined) return settings;
  return {
    BLOBS_URL: `file:${resolve(dataDir, "blobs")}`,
    ADMIN_KEY: "operator-key-of-the-tests",
    SECRET_KEY: createHash("sha256").update(dataDir).digest("base64"),
    ...settings,
    DATABASE_URL: schemaAt(join(dataDir, "pergamon.db")),
  };
}

/** The URL of the schema in the place of a file. */
export function schemaAt(file: string): string {
  return `${TEST_DATABASE_URL}&schema=of_${nameOf(file)}`;
}

/** The URL of the folder of the bucket in the place of a folder. */
export function blobsAt(folder: string): string {
  return `${TEST_BLOBS_URL}/${nameOf(folder)}`;
}

function nameOf(path: string): string {
  return createHash("sha256").update(resolve(path)).digest("hex").slice(0, 32);
}
