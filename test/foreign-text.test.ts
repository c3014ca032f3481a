import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

/**
 * Who may read JSON or lines without counting first, and what it is that they read. Whoever reads what others send uses
 * `src/kit/foreign/` and is not in this list.
 */
const READERS: Readonly<Record<string, readonly string[]>> = {
  "what this service wrote itself: rows, files, answers of its own": [
    "src/accounts/callers.ts",
    "src/accounts/keys.ts",
    "src/accounts/revocations.ts",
    "src/accounts/teams.ts",
    "src/accounts/threat-policy.ts",
    "src/admin/requests/json-differences.ts",
    "src/admin/audit-log.ts",
    "src/admin/monitors.ts",
    "src/admin/providers.ts",
    "src/admin/show-provider.ts",
    "src/admin/tool-requests.ts",
    "src/app/data/backup-archive.ts",
    "src/contract/version.ts",
    "src/interact/recipes.ts",
    "src/families/agent/agent-options.ts",
    "src/families/agent/agent-rows.ts",
    "src/families/agent/short-input.ts",
    "src/families/batch/batch-options.ts",
    "src/families/crawl/crawl-plans.ts",
    "src/families/extract/extract-plans.ts",
    "src/families/extract/extract-rows.ts",
    "src/families/extract/merge-step.ts",
    "src/families/monitor/check-events.ts",
    "src/families/monitor/judge-step.ts",
    "src/families/monitor/monitor-answers.ts",
    "src/families/monitor/monitor-plans.ts",
    "src/families/monitor/monitor-steps.ts",
    "src/families/monitor/notify.ts",
    "src/families/monitor/page-finding.ts",
    "src/families/monitor/page-states.ts",
    "src/families/monitor/target-results.ts",
    "src/job-runs/run-status.ts",
    "src/job-runs/run-rows.ts",
    "src/job-runs/dispatcher.ts",
    "src/job-runs/webhooks/outbox.ts",
    "src/platform/browser/consent/consent-engine.ts",
    "src/platform/browser/launch/bundled.ts",
    "src/platform/coordination/nodes.ts",
    "src/profiles/saved-state.ts",
    "src/scrape/answer/cleaning.ts",
    "src/scrape/answer/more-personal-data.ts",
    "src/scrape/scrape-record.ts",
    "src/scrape/formats/brand-by-model.ts",
    "src/scrape/formats/json-by-model.ts",
    "src/scrape/replay.ts",
    "src/scrape/request/outlined.ts",
    "src/stores/captures/stored-capture.ts",
    "src/stores/feedback/feedback.ts",
    "src/doctor/alerts.ts",
    "src/stores/readings/readings.ts",
    "src/stores/versions/page-versions.ts",
    "src/tools/resolve-request.ts",
  ],
  "what the operator wrote": [
    "src/cli/commands/keys.ts",
    "src/cli/commands/teams.ts",
    "src/cli/commands/tools.ts",
    "src/cli/scrape/request-options.ts",
    "src/config/language-model.ts",
    "src/config/tools.ts",
    "src/platform/net/proxies.ts",
    "src/tools/providers-file.ts",
  ],
  "parts of a page, in the threads of pages and within the size of a page": [
    "src/page-content/html/media.ts",
    "src/page-content/main-content/json-texts.ts",
    "src/page-content/markdown/left-out-text.ts",
    "src/facts/structured/loose-json.ts",
  ],
  "programs that run in a box or an interpreter, and what a box of ours said in its proof": [
    "src/programs/agent-browser.ts",
    "src/interact/box/page-server.ts",
    "src/interact/box/runner.ts",
    "src/programs/interpreter.ts",
    "src/platform/sandbox/probe-program.ts",
    "src/platform/sandbox/self-test.ts",
  ],
  "messages of our browsers, which are bounded by the transport": [
    "src/platform/browser/cdp/cdp-connection.ts",
    "src/platform/browser/confined/client-sessions.ts",
    "src/platform/browser/confined/confined-client.ts",
    "src/platform/browser/readiness/readiness.ts",
  ],
  "the rule itself": ["src/kit/foreign/parse-json.ts", "src/kit/foreign/worker.ts"],
};

const READS = /\bJSON\.parse\b|\bjsonrepair\(|\bcreateInterface\(/;

test("only known files read JSON or lines without the rule for what comes from outside", () => {
  const sources = readdirSync("src", { recursive: true })
    .map((name) => `src/${String(name).replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts") && !/\.(?:test|suite)\.ts$/.test(name));
  const readers = sources.filter((name) => READS.test(readFileSync(name, "utf8")));
  expect(readers.toSorted()).toEqual(Object.values(READERS).flat().toSorted());
});
