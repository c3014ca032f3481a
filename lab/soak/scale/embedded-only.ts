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
  { path: "src/platform/blobs/", stores: ["s3"], reason: DRIVERS },
  { path: "src/platform/coordination/", stores: ["postgres"], reason: DRIVERS },
  { path: "src/platform/database/", stores: ["postgres"], reason: DRIVERS },
  { path: "src/platform/jobs/", stores: ["postgres"], reason: DRIVERS },
  { path: "src/job-runs/dispatcher.test.ts", stores: ["postgres"], reason: TURNS },
  { path: "src/job-runs/webhooks/webhooks.test.ts", stores: ["postgres"], reason: TURNS },
  {
    path: "src/accounts/callers.test.ts",
    test: "that another process has changed are known anew in the next turn",
    stores: ["postgres"],
    reason: TURNS,
  },
  {
    path: "src/families/crawl/frontier.test.ts",
    test: "no question for the next addresses looks at all that are known",
    stores: ["postgres"],
    reason: "reads plans of SQLite",
  },
  {
    path: "src/doctor/doctor.test.ts",
    test: "a damaged database is a problem",
    stores: ["postgres"],
    reason: "damages the file of SQLite",
  },
  {
    path: "src/profiles/profiles.test.ts",
    test: "is nowhere readable on disk",
    stores: ["postgres", "s3"],
    reason: "reads the files of the embedded stores",
  },
  {
    path: "src/profiles/profiles.test.ts",
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
    path: "test/dashboard/operate.test.ts",
    test: "its end is seen without another one",
    stores: ["postgres"],
    reason: BACKUPS,
  },
  ...["leaves no older version behind", "whose blob is gone is told as such"].map((test): EmbeddedOnly => ({
    path: "src/profiles/profiles.test.ts",
    test,
    stores: ["s3"],
    reason: "reads the folder of blobs",
  })),
  {
    path: "src/stores/captures/page-cache.test.ts",
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
