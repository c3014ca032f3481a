import type { Store } from "./suite-stores.ts";

interface EmbeddedOnly {
  /** A file, or a folder with `/` at its end. */
  readonly path: string;
  /** The end of the name of one test; default: all tests of the path. */
  readonly test?: string;
  readonly stores: readonly Store[];
  readonly reason: string;
}

const DRIVERS = "starts servers of its own, and tests each driver over them";
const TURNS = "counts turns of the event loop, and no server answers within one";
const BACKUPS = "makes a backup of the embedded database; others are refused, naming pg_dump";

/** What does not run over these stores. Each is printed with its reason. */
export const embeddedOnly: readonly EmbeddedOnly[] = [
  { path: "packages/server/src/storage/blobs/", stores: ["s3"], reason: DRIVERS },
  { path: "packages/server/src/storage/coordination/", stores: ["postgres"], reason: DRIVERS },
  { path: "packages/server/src/storage/database/", stores: ["postgres"], reason: DRIVERS },
  { path: "packages/server/src/jobs/queue/", stores: ["postgres"], reason: DRIVERS },
  { path: "packages/server/src/jobs/dispatcher.test.ts", stores: ["postgres"], reason: TURNS },
  { path: "packages/server/src/jobs/webhooks/webhooks.test.ts", stores: ["postgres"], reason: TURNS },
  {
    path: "packages/server/src/accounts/callers.test.ts",
    test: "that another process has changed are known anew in the next turn",
    stores: ["postgres"],
    reason: TURNS,
  },
  {
    path: "packages/server/src/crawl/frontier.test.ts",
    test: "no question for the next addresses looks at all that are known",
    stores: ["postgres"],
    reason: "reads plans of SQLite",
  },
  {
    path: "packages/server/src/operator/health/doctor.test.ts",
    test: "a damaged database is a problem",
    stores: ["postgres"],
    reason: "damages the file of SQLite",
  },
  {
    path: "packages/server/src/profiles/profiles.test.ts",
    test: "is nowhere readable on disk",
    stores: ["postgres", "s3"],
    reason: "reads the files of the embedded stores",
  },
  {
    path: "packages/server/src/profiles/profiles.test.ts",
    test: "is free at once when its writer was killed",
    stores: ["postgres", "s3"],
    reason: "starts a process over the files of the embedded stores",
  },
  ...["the quote cannot be written down", "credits cannot be set aside, or nothing written down"].map(
    (what): EmbeddedOnly => ({
      path: "test/provider-tools.test.ts",
      test: `anybody while ${what}; the same id works afterwards`,
      stores: ["postgres"],
      reason: "breaks tables with triggers of SQLite",
    }),
  ),
  {
    path: "test/lost-key.test.ts",
    stores: ["postgres", "s3"],
    reason: "is about the key file of an embedded database",
  },
  {
    path: "test/operator-audit-and-backups.test.ts",
    test: "is missing once it is moved",
    stores: ["postgres"],
    reason: BACKUPS,
  },
  {
    path: "test/crashes.test.ts",
    test: "copies of its files hold what the service answered, once, and nothing is damaged",
    stores: ["postgres", "s3"],
    reason: "reads copies of the files of the embedded stores",
  },
  ...["leaves no older version behind", "whose blob is gone is told as such"].map((test): EmbeddedOnly => ({
    path: "packages/server/src/profiles/profiles.test.ts",
    test,
    stores: ["s3"],
    reason: "reads the folder of blobs",
  })),
  {
    path: "packages/server/src/fetch/page-cache/page-cache.test.ts",
    stores: ["s3"],
    reason: "reads the blob of each page, which are packed in S3 (capture-packs.test.ts)",
  },
  {
    path: "test/openapi.test.ts",
    test: "every operation answers with what is declared, and nothing else",
    stores: ["postgres"],
    reason: BACKUPS,
  },
];
