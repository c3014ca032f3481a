import { fileURLToPath } from "node:url";

const STAND_INS = {
  TEST_DATABASE_URL: {
    "packages/server/src/storage/database/drivers.ts": { "./sqlite.ts": "sqlite-in-postgres.ts" },
  },
  TEST_BLOBS_URL: {
    "packages/server/src/storage/blobs/drivers.ts": {
      "./files.ts": "files-in-s3.ts",
      "./memory.ts": "memory-in-s3.ts",
    },
  },
};

/** Whether the environment names such a server. */
export function areStoresShared(environment = process.env) {
  return Object.keys(STAND_INS).some((name) => environment[name] !== undefined);
}

/**
 * A plugin of vitest: what tests open as an embedded store is a part of the server that the environment names.
 * Without such a variable it does nothing.
 */
export function sharedStores(environment = process.env) {
  const wanted = Object.entries(STAND_INS).filter(([name]) => environment[name] !== undefined);
  const byImporter = new Map(wanted.flatMap(([, importers]) => Object.entries(importers)));
  return {
    name: "shared-stores",
    enforce: "pre",
    resolveId(source, importer = "") {
      const found = [...byImporter].find(([file]) => importer.endsWith(`/${file}`));
      const standIn = found?.[1][source];
      if (standIn === undefined) return undefined;
      return fileURLToPath(new URL(`../test/shared-stores/${standIn}`, import.meta.url));
    },
  };
}
