import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { openHttpClient } from "../../net/client.ts";
import { parseEgressRules } from "../../net/guard/egress-rules.ts";
import { openGuard } from "../../net/guard/guard.ts";
import { openResolver } from "../../net/guard/resolver.ts";
import type { ThreatClassifier } from "./classifier.ts";
import { openThreatClassifier } from "./drivers.ts";

const client = openHttpClient({
  guard: openGuard({ rules: parseEgressRules([]), resolver: openResolver({ servers: [] }) }),
});
const folder = testFolder();
let classifier: ThreatClassifier;

beforeAll(async () => {
  const list = join(folder, "hosts.txt");
  await writeFile(
    list,
    "# known\nevil.test\n0.0.0.0 Tracker.example # ads\nbücher.test\n127.0.0.1\n2606:4700::1\n",
  );
  classifier = await openThreatClassifier(`file:${list}`, { client, apiKey: undefined });
});

afterAll(() => client.close());

test.each([
  ["http://evil.test/x", 100],
  ["http://a.evil.test./", 100],
  ["https://TRACKER.example/", 100],
  ["http://notevil.test/", 0],
  ["http://xn--bcher-kva.test/", 100],
  ["http://0x7f.1/", 100],
  ["http://[::ffff:7f00:1]/", 100],
  ["http://[2606:4700:0:0::1]/", 100],
  ["http://test/", 0],
  ["http://0.0.0.0/", 0],
])("%s has the score %d", async (url, score) => {
  expect(await classifier.score(url, new AbortController().signal)).toBe(score);
});

test.each([
  ["odd:x", "No threat classifier"],
  ["https://risk.test", "THREATS_KEY"],
  ["file:", "needs a path"],
  ["file:/nowhere/at/all", "The list of THREATS_URL cannot be read: ENOENT"],
])("%s is refused at the start", async (url, message) => {
  await expect(openThreatClassifier(url, { client, apiKey: undefined })).rejects.toThrow(message);
});
