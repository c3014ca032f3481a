import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, freePort, getJson, openPage, ROOT, run, Skip, until, withService } from "./tools.mjs";

/**
 * What somebody does who reads the README from the top: clones, starts, asks, uses the command line, looks at the machine, and
 * repeats recorded calls. The other two ways to install are the parts `program` and `image`.
 * @param {import("./main.mjs").Release} release
 */
export async function newcomer({ work, isShort, note }) {
  if (isShort) throw new Skip("left out by --short");
  const clone = join(work, "clone");
  await run("git", ["clone", "--quiet", "--depth=1", `file://${ROOT}`, clone]);
  const page = await openPage();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, EGRESS_ALLOW: "127.0.0.1", PORT: String(port) };
  delete env.npm_lifecycle_event;
  try {
    await withService(["node", "bin/run.mjs", "start"], { cwd: clone, env }, async () => {
      await until(600_000, () => getJson(`${url}/readyz`));
      note("cloned", "npm start installed, built and listens");
      const body = { url: page.url, formats: ["markdown", "links"] };
      const answer = await getJson(`${url}/v2/scrape`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(answer.success && answer.data.markdown.startsWith("# The Harbour Library"), `The first result is ${JSON.stringify(answer)}`);
      note("asked", "the first result of the README");
      const recording = join(work, "calls.jsonl");
      const call = { method: "POST", url: "https://api.firecrawl.dev/v2/scrape", body, status: 200, response: answer };
      writeFileSync(recording, `${JSON.stringify(call)}\n`);
      const compared = await run("npx", ["pergamon", "compat", recording, "--to", url], { cwd: clone, env });
      expect(compared.includes("1 repeated, 1 of them with every field; 0 failed"), compared);
      note("repeated", "a recorded call, by pergamon compat");
      const link = await run("npx", ["pergamon", "dashboard"], { cwd: clone, env: { ...env, PORT: "" } });
      expect(link.startsWith(`${url}/dashboard`), `dashboard printed ${link}`);
      note("signed in", "the link of npx pergamon dashboard leads to the service that runs");
    });
    const printed = await run("npx", ["pergamon", page.url, "--question", "When is it open?"], { cwd: clone, env });
    expect(printed.trim() !== "", "npx pergamon --question printed nothing");
    const load = await run("npx", ["pergamon", "doctor", "--load", "2"], { cwd: clone, env });
    note("pages a minute", load.trim().split("\n").slice(1).map((line) => line.trim().split(" a minute")[0].replaceAll(/\s+/g, " ")).join("; "));
    const tests = ["test/published-files.test.ts", "test/cluster-files.test.ts", "test/readme.test.ts"];
    await run("npx", ["vitest", "run", ...tests], { cwd: ROOT });
    note("checked", "settings of compose.yaml, its profiles and the templates; links of the README");
  } finally {
    page.close();
  }
  return { file: "README.md" };
}
