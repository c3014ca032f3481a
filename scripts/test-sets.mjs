/**
 * Tests that `npm test` runs only when something of theirs changed: in its own files, or in what `of` names. Each set has
 * a sentence in `always` that says which tests run each time and guard the same promises.
 * Names that end with a slash are folders.
 */
export const TEST_SETS = [
  {
    name: "official clients",
    tests: [
      "test/copied-requests.test.ts",
      "test/official-python-client.test.ts",
      "test/installed-clients/",
      "test/interact/clients.test.ts",
      "test/interact/installed-clients.test.ts",
      "test/page-data-clients.test.ts",
    ],
    of: [
      "packages/server/src/api/",
      "packages/server/src/http/",
      "packages/server/src/mcp/",
      "scripts/install-official-clients.sh",
    ],
    always: "test/official-client, test/recorded-clients and test/vectors speak the same messages",
  },
  {
    name: "Postgres and pooler",
    tests: [
      "packages/server/src/accounts/allotments.test.ts",
      "packages/server/src/storage/coordination/postgres-coordination.test.ts",
      "packages/server/src/storage/database/move-tables.test.ts",
      "packages/server/src/storage/database/postgres.test.ts",
      "packages/server/src/storage/database/postgres-silence.test.ts",
      "packages/server/src/jobs/queue/postgres-queue.test.ts",
      "packages/server/src/jobs/host-politeness.test.ts",
      "packages/server/src/history/page-index/index-stores.test.ts",
      "test/moved-database.test.ts",
      "test/postgres-outages.test.ts",
    ],
    of: [
      "packages/server/src/storage/coordination/",
      "packages/server/src/storage/database/",
      "packages/server/src/jobs/queue/",
      "packages/server/src/history/page-index/",
    ],
    always: "the same suites over the embedded database",
  },
  {
    name: "blobs in S3",
    tests: ["packages/server/src/storage/blobs/s3.test.ts"],
    of: ["packages/server/src/storage/blobs/"],
    always: "the same suite over files and memory",
  },
  {
    name: "several machines and processes",
    tests: [
      "test/cluster-files.test.ts",
      "test/cut-off-node.test.ts",
      "test/clock-jumps.test.ts",
      "test/roles.test.ts",
      "test/rolling-restart.test.ts",
      "test/several-machines.test.ts",
      "test/two-processes.test.ts",
      "test/workers.test.ts",
    ],
    of: [
      "packages/server/src/accounts/",
      "packages/server/src/app/",
      "packages/server/src/jobs/",
      "packages/server/src/storage/coordination/",
      "packages/server/src/storage/database/",
    ],
    always: "the suites of coordination, jobs and accounts with two processes over one store",
  },
  {
    name: "kills at random moments",
    tests: [
      "packages/server/src/monitor/timer.test.ts",
      "test/bad-days.test.ts",
      "test/crashes.test.ts",
      "test/crawl-exactness.test.ts",
      "test/killed-agents.test.ts",
      "test/killed-batches.test.ts",
      "test/killed-checks.test.ts",
      "test/killed-readings.test.ts",
      "test/pauses.test.ts",
      "test/soak-service.test.ts",
    ],
    of: [
      "packages/server/src/accounts/",
      "packages/server/src/batch/",
      "packages/server/src/crawl/",
      "packages/server/src/extract/",
      "packages/server/src/monitor/",
      "packages/server/src/agent/",
      "packages/server/src/parse/",
      "packages/server/src/jobs/",
      "packages/server/src/storage/database/",
      "test/ends/",
      "test/pauses/",
    ],
    always:
      "packages/server/src/jobs/queue/task-queue, packages/server/src/jobs/dispatcher and webhooks kill between any two steps",
  },
  {
    name: "damaged and hostile files",
    tests: [
      "packages/server/src/fetch/file-kinds/large-feed.test.ts",
      "test/damaged-documents.test.ts",
      "test/hostile-documents.test.ts",
      "test/hostile-pdfs.test.ts",
      "test/small-pages-beside-large.test.ts",
      "test/vectors/large-pdf.test.ts",
    ],
    of: [
      "packages/documents/src/",
      "packages/server/src/fetch/feeds/",
      "packages/server/src/fetch/file-kinds/",
      "packages/server/src/sandbox/readers/",
    ],
    always: "the tests of each reader, test/vectors/documents and pdf",
  },
  {
    name: "damaged data, full disks and lost terminals",
    tests: [
      "packages/server/src/storage/database/sqlite-safety.test.ts",
      "test/backup.test.ts",
      "test/damaged-database.test.ts",
      "test/data-folder.test.ts",
      "test/full-disk.test.ts",
      "test/lost-output.test.ts",
    ],
    of: [
      "bin/",
      "packages/server/src/app/",
      "packages/server/src/cli/",
      "packages/server/src/storage/",
      "packages/server/src/profiles/",
      "packages/server/src/program.ts",
    ],
    always: "the tests of database, blobs, log and backups with one fault each",
  },
  {
    name: "screens of the dashboard",
    tests: ["test/dashboard/"],
    but: ["test/dashboard/journeys.test.ts"],
    of: [
      "bin/build-web.mjs",
      "packages/server/src/operator/",
      "packages/server/src/http/built-pages.ts",
      "packages/dashboard/",
    ],
    always: "test/dashboard/journeys, test/dashboard.test and the tests of operations",
  },
  {
    name: "languages in boxes",
    tests: [
      "packages/server/src/interact/languages/",
      "packages/browser/src/session-browser.test.ts",
      "test/interact/code.test.ts",
      "test/interact/no-boxes.test.ts",
    ],
    of: [
      "packages/browser/programs/",
      "packages/server/src/interact/",
      "packages/browser/src/",
      "packages/server/src/sandbox/",
    ],
    always: "packages/server/src/sandbox/sandbox, test/interact/sessions",
  },
  {
    name: "the browser by itself",
    tests: [
      "packages/browser/src/confined-attacks.test.ts",
      "packages/browser/src/network-guard.test.ts",
      "packages/browser/src/pool.test.ts",
      "packages/browser/src/session-clients.test.ts",
      "packages/server/src/fetch/engines/browser.test.ts",
      "test/browser/",
      "test/proxies/",
    ],
    of: [
      "packages/browser/programs/",
      "packages/facts/src/",
      "packages/browser/src/",
      "packages/server/src/net/",
      "packages/server/src/fetch/",
    ],
    always:
      "test/vectors with actions, screenshots, visitors and profiles, test/hostile-targets and test/private-targets",
  },
  {
    name: "hostile models",
    tests: ["test/hostile-models.test.ts", "test/vectors/model-privacy.test.ts"],
    of: ["packages/facts/src/", "packages/server/src/storage/models/", "packages/server/src/scrape/formats/"],
    always:
      "test/hostile-answers, test/vectors/model-answers and the tests of packages/server/src/storage/models",
  },
  {
    name: "hostile sites of crawls",
    tests: ["test/hostile-jobs.test.ts"],
    of: [
      "packages/server/src/batch/",
      "packages/server/src/crawl/",
      "packages/server/src/extract/",
      "packages/server/src/monitor/",
      "packages/server/src/agent/",
      "packages/server/src/parse/",
      "packages/server/src/jobs/",
      "packages/server/src/fetch/",
    ],
    always: "test/vectors/families with crawls and traps, the tests of crawl rules and sitemaps",
  },
  {
    name: "thousands of made pages, and the longest input",
    tests: [
      "packages/server/src/scrape/diff/unified-diff.test.ts",
      "packages/html/src/any-page.test.ts",
      "packages/html/src/parser/parse-hostile.test.ts",
      "test/engine-work.test.ts",
      "test/laws/",
      "test/replays.test.ts",
    ],
    of: [
      "packages/documents/src/",
      "packages/facts/src/",
      "packages/html/src/",
      "packages/kit/src/",
      "packages/server/src/crawl/",
      "packages/server/src/fetch/",
      "packages/server/src/map/",
      "packages/server/src/net/",
      "packages/server/src/scrape/",
    ],
    always: "the tests next to each file, test/vectors/content and cleaning",
  },
  {
    name: "libraries by themselves",
    tests: ["test/libraries.test.ts"],
    of: [
      "packages/html/",
      "packages/documents/",
      "packages/facts/",
      "packages/kit/",
      "scripts/build-library.mjs",
    ],
    always: "the tests of packages/html and packages/documents, from their sources",
  },
  {
    name: "commands, packages and copies of the project",
    tests: [
      "test/added-parts.test.ts",
      "test/command-line.test.ts",
      "test/package.test.ts",
      "test/plain-summary.test.ts",
      "test/settings.test.ts",
      "test/two-commands.test.ts",
    ],
    of: [
      "bin/",
      "package.json",
      "scripts/",
      "packages/server/src/cli/",
      "packages/server/src/config/",
      "packages/server/src/api/",
      "packages/server/src/main.ts",
    ],
    always: "npm run check, test/new-format and packages/server/src/cli",
  },
];

/** A change of these concerns every set. */
export const OF_ALL = [".ci/", "package-lock.json", "vitest.config.ts"];

/** Whether this path is one of these names, or in a folder of theirs. */
export function isAmong(path, names) {
  return names.some((name) => (name.endsWith("/") ? path.startsWith(name) : path === name));
}

/** Whether this test file belongs to the set. */
export function isOfSet({ tests, but = [] }, file) {
  return isAmong(file, tests) && !isAmong(file, but);
}
