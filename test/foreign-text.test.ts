import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

/**
 * Who may read JSON or lines without counting first, and what it is that they read. Whoever reads what others send uses
 * `packages/kit/src/foreign/` and is not in this list.
 */
const READERS: Readonly<Record<string, readonly string[]>> = {
  "what this service wrote itself: rows, files, answers of its own": [
    "packages/kit/src/decode-members.ts",
    "packages/server/src/crawl/outcomes.ts",
    "packages/server/src/accounts/callers.ts",
    "packages/server/src/accounts/keys.ts",
    "packages/server/src/accounts/revocations.ts",
    "packages/server/src/accounts/teams.ts",
    "packages/server/src/accounts/threat-policy.ts",
    "packages/server/src/history/operator/json-differences.ts",
    "packages/server/src/accounts/operator/audit-log.ts",
    "packages/server/src/monitor/operator.ts",
    "packages/server/src/tools/operator/providers.ts",
    "packages/server/src/tools/operator/show-provider.ts",
    "packages/server/src/tools/operator/tool-requests.ts",
    "packages/server/src/operator/data/backup-archive.ts",
    "packages/server/src/api/version.ts",
    "packages/server/src/interact/sessions.ts",
    "packages/server/src/agent/rows.ts",
    "packages/server/src/agent/end-step.ts",
    "packages/server/src/jobs/sealed-options.ts",
    "packages/server/src/extract/rows.ts",
    "packages/server/src/extract/merge-step.ts",
    "packages/server/src/monitor/check-events.ts",
    "packages/server/src/monitor/judge-step.ts",
    "packages/server/src/monitor/answers.ts",
    "packages/server/src/monitor/steps.ts",
    "packages/server/src/monitor/notify.ts",
    "packages/server/src/monitor/page-finding.ts",
    "packages/server/src/monitor/target-results.ts",
    "packages/server/src/jobs/job-rows.ts",
    "packages/server/src/jobs/dispatcher.ts",
    "packages/server/src/jobs/webhooks/outbox.ts",
    "packages/browser/src/consent/consent-engine.ts",
    "packages/browser/src/launch/bundled.ts",
    "packages/server/src/storage/coordination/nodes.ts",
    "packages/server/src/profiles/saved-state.ts",
    "packages/server/src/scrape/answer/cleaning.ts",
    "packages/server/src/scrape/answer/more-personal-data.ts",
    "packages/server/src/scrape/record.ts",
    "packages/server/src/scrape/formats/branding.ts",
    "packages/server/src/scrape/formats/json-by-model.ts",
    "packages/server/src/scrape/replay.ts",
    "packages/server/src/scrape/request/outlined.ts",
    "packages/server/src/fetch/page-cache/stored-capture.ts",
    "packages/server/src/history/feedback.ts",
    "packages/server/src/operator/health/alerts.ts",
    "packages/server/src/history/readings.ts",
    "packages/server/src/history/stored-answers.ts",
    "packages/server/src/program.ts",
    "packages/server/src/scrape/diff/page-versions.ts",
    "packages/server/src/tools/resolve-request.ts",
    "packages/server/src/http/openapi/describe-service.ts",
  ],
  "files, in the confined processes that read documents": ["packages/documents/src/notebook.ts"],
  "what the operator wrote": [
    "packages/server/src/accounts/command/keys.ts",
    "packages/server/src/accounts/command/teams.ts",
    "packages/server/src/tools/command.ts",
    "packages/server/src/cli/compat/recording.ts",
    "packages/server/src/scrape/command/request-options.ts",
    "packages/server/src/config/language-model.ts",
    "packages/server/src/config/tools.ts",
    "packages/server/src/net/proxies.ts",
    "packages/server/src/tools/providers-file.ts",
  ],
  "parts of a page, in the threads of pages and within the size of a page": [
    "packages/html/src/selection/media.ts",
    "packages/html/src/main-content/json-texts.ts",
    "packages/html/src/markdown/left-out-text.ts",
    "packages/facts/src/structured/loose-json.ts",
  ],
  "programs that run in a box or an interpreter, and what a box of ours said in its proof": [
    "packages/browser/src/programs/agent-browser.ts",
    "packages/server/src/interact/box/page-server.ts",
    "packages/server/src/interact/box/runner.ts",
    "packages/browser/src/programs/interpreter.ts",
    "packages/server/src/sandbox/probe-program.ts",
    "packages/server/src/sandbox/self-test.ts",
  ],
  "messages of our browsers, which are bounded by the transport": [
    "packages/browser/src/cdp/cdp-connection.ts",
    "packages/browser/src/confined/client-sessions.ts",
    "packages/browser/src/confined/confined-client.ts",
    "packages/browser/src/readiness/readiness.ts",
  ],
  "the rule itself": ["packages/kit/src/foreign/parse-json.ts", "packages/kit/src/foreign/worker.ts"],
};

const READS = /\bJSON\.parse\b|\bjsonrepair\(|\bcreateInterface\(/;

test("only known files read JSON or lines without the rule for what comes from outside", () => {
  const sources = ["kit", "html", "facts", "documents", "browser", "server"]
    .flatMap((name) =>
      readdirSync(`packages/${name}/src`, { recursive: true }).map((path) => `${name}/src/${String(path)}`),
    )
    .map((name) => `packages/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts") && !/\.(?:test|suite)\.ts$/.test(name));
  const readers = sources.filter((name) => READS.test(readFileSync(name, "utf8")));
  expect(readers.toSorted()).toEqual(Object.values(READERS).flat().toSorted());
});
