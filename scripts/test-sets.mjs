/**
 * Tests that `npm test` runs only when something of theirs changed: in its own files, or in what `of` names. Each set has
 * a sentence in `always` that says which tests run each time and guard the same promises.
 * Names that end with a slash are folders.
 */
export const TEST_SETS = [
  {
    name: "official clients",
    tests: [
      "test/official-python-client.test.ts",
      "test/installed-clients/",
      "test/interact/clients.test.ts",
      "test/interact/installed-clients.test.ts",
      "test/page-data-clients.test.ts",
    ],
    of: ["src/contract/", "src/http/", "src/mcp/", "scripts/install-official-clients.sh"],
    always: "test/official-client, test/recorded-clients and test/vectors speak the same messages",
  },
  {
    name: "Postgres and pooler",
    tests: [
      "src/accounts/allotments.test.ts",
      "src/platform/coordination/postgres-coordination.test.ts",
      "src/platform/database/move-tables.test.ts",
      "src/platform/database/postgres.test.ts",
      "src/platform/database/postgres-silence.test.ts",
      "src/platform/jobs/postgres-jobs.test.ts",
      "src/stores/page-index/index-stores.test.ts",
      "test/moved-database.test.ts",
      "test/postgres-outages.test.ts",
    ],
    of: [
      "src/platform/coordination/",
      "src/platform/database/",
      "src/platform/jobs/",
      "src/stores/page-index/",
    ],
    always: "the same suites over the embedded database",
  },
  {
    name: "blobs in S3",
    tests: ["src/platform/blobs/s3.test.ts"],
    of: ["src/platform/blobs/"],
    always: "the same suite over files and memory",
  },
  {
    name: "several machines and processes",
    tests: [
      "test/cluster-files.test.ts",
      "test/clock-jumps.test.ts",
      "test/roles.test.ts",
      "test/rolling-restart.test.ts",
      "test/several-machines.test.ts",
      "test/two-processes.test.ts",
      "test/workers.test.ts",
    ],
    of: [
      "src/accounts/",
      "src/app/",
      "src/job-runs/",
      "src/platform/coordination/",
      "src/platform/database/",
      "src/platform/jobs/",
    ],
    always: "the suites of coordination, jobs and accounts with two processes over one store",
  },
  {
    name: "kills at random moments",
    tests: [
      "src/families/monitor/monitor-timer.test.ts",
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
      "src/accounts/",
      "src/families/",
      "src/job-runs/",
      "src/platform/database/",
      "src/platform/jobs/",
      "test/ends/",
      "test/pauses/",
    ],
    always: "src/platform/jobs/jobs, src/job-runs/dispatcher and webhooks kill between any two steps",
  },
  {
    name: "damaged and hostile files",
    tests: [
      "src/file-kinds/large-feed.test.ts",
      "test/damaged-documents.test.ts",
      "test/hostile-documents.test.ts",
      "test/hostile-pdfs.test.ts",
      "test/small-pages-beside-large.test.ts",
      "test/vectors/large-pdf.test.ts",
    ],
    of: ["src/documents/", "src/feeds/", "src/file-kinds/", "src/platform/readers/"],
    always: "the tests of each reader, test/vectors/documents and pdf",
  },
  {
    name: "damaged data, full disks and lost terminals",
    tests: [
      "src/platform/database/sqlite-safety.test.ts",
      "test/backup.test.ts",
      "test/damaged-database.test.ts",
      "test/data-folder.test.ts",
      "test/full-disk.test.ts",
      "test/lost-output.test.ts",
    ],
    of: ["bin/", "src/app/", "src/cli/", "src/platform/", "src/profiles/", "src/program.ts"],
    always: "the tests of database, blobs, log and backups with one fault each",
  },
  {
    name: "screens of the dashboard",
    tests: ["test/dashboard/"],
    but: ["test/dashboard/journeys.test.ts", "test/dashboard/first-run.test.ts"],
    of: ["bin/build-web.mjs", "src/admin/", "src/contract/operator/", "src/http/built-pages.ts", "web/"],
    always: "test/dashboard/journeys and first-run, test/dashboard.test and the tests of operations",
  },
  {
    name: "languages in boxes",
    tests: [
      "src/interact/languages/",
      "src/platform/browser/session-browser.test.ts",
      "test/interact/code.test.ts",
      "test/interact/no-boxes.test.ts",
    ],
    of: ["programs/", "src/interact/", "src/platform/browser/", "src/platform/sandbox/"],
    always: "src/platform/sandbox/sandbox, test/interact/sessions",
  },
  {
    name: "the browser by itself",
    tests: [
      "src/platform/browser/confined-attacks.test.ts",
      "src/platform/browser/network-guard.test.ts",
      "src/platform/browser/pool.test.ts",
      "src/platform/browser/session-clients.test.ts",
      "src/visit/engines/browser.test.ts",
      "test/browser/",
      "test/proxies/",
    ],
    of: ["programs/", "src/facts/", "src/platform/browser/", "src/platform/net/", "src/visit/"],
    always:
      "test/vectors with actions, screenshots, visitors and profiles, test/hostile-targets and test/private-targets",
  },
  {
    name: "hostile models",
    tests: ["test/hostile-models.test.ts", "test/vectors/model-privacy.test.ts"],
    of: ["src/facts/", "src/judgement/", "src/platform/models/", "src/scrape/formats/"],
    always: "test/hostile-answers, test/vectors/model-answers and the tests of src/platform/models",
  },
  {
    name: "hostile sites of crawls",
    tests: ["test/hostile-jobs.test.ts"],
    of: ["src/crawl-rules/", "src/families/", "src/job-runs/", "src/scrape/fetch/", "src/visit/"],
    always: "test/vectors/families with crawls and traps, the tests of crawl rules and sitemaps",
  },
  {
    name: "content of thousands of made pages",
    tests: [
      "src/judgement/changes/unified-diff.test.ts",
      "src/page-content/any-page.test.ts",
      "src/page-content/html/parser/parse-hostile.test.ts",
      "test/engine-work.test.ts",
      "test/replays.test.ts",
    ],
    of: ["src/facts/", "src/judgement/", "src/kit/", "src/page/", "src/page-content/", "src/scrape/"],
    always: "the tests next to each file, test/vectors/content and cleaning",
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
    of: ["bin/", "package.json", "scripts/", "src/cli/", "src/config/", "src/contract/", "src/main.ts"],
    always: "npm run check, test/new-format and src/cli",
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
