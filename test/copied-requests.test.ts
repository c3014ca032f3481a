import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { SNIPPETS as OF_REFERENCE } from "../packages/dashboard/src/format/request-snippets.ts";
import { exampleRequest } from "../packages/dashboard/src/reference/request-examples.ts";
import { operationsOf, type ServiceDocument } from "../packages/dashboard/src/reference/document.ts";
import { SNIPPETS } from "../packages/dashboard/src/screens/playground/snippets.ts";
import { build } from "./built.ts";
import { hasPythonClient, PYTHON } from "./installed-clients/clients.ts";
import { KEYED, operate } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const run = promisify(execFile);

let world: World;
const folder = testFolder();
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  await build();
  world = await openWorld(KEYED);
  // The official client, as somebody who pastes the code has installed it.
  await symlink(new URL("../node_modules", import.meta.url).pathname, join(folder, "node_modules"));
  const { body } = await operate(world, "POST teams/default/keys", { name: "snippets" });
  const program = join(folder, "pergamon");
  const built = new URL("../bin/pergamon.mjs", import.meta.url).pathname;
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${built}" "$@"\n`, { mode: 0o755 });
  environment = {
    PATH: `${folder}:${process.env["PATH"]}`,
    HOME: folder,
    DATA_DIR: join(folder, "data"),
    EGRESS_ALLOW: "127.0.0.1",
    FIRECRAWL_API_KEY: body.apiKey,
  };
});

async function outputOf(program: string, file: string, text: string): Promise<string> {
  const path = join(folder, file);
  await writeFile(path, text);
  return (await run(program, [path], { env: environment, cwd: folder })).stdout;
}

describe("a request that is copied from the playground does the same", () => {
  /** Language → what runs it, and from which file. The client for Python is not everywhere. */
  const programs: readonly (readonly [language: string, program: string, file: string])[] = [
    ["JavaScript", process.execPath, "snippet.mjs"],
    ...(hasPythonClient ? [["Python", PYTHON, "snippet-sdk.py"] as const] : []),
    ["curl", "sh", "snippet.sh"],
    ["fetch", process.execPath, "snippet-fetch.mjs"],
    ["urllib", "python3", "snippet.py"],
    ["CLI", "sh", "snippet-cli.sh"],
    ["MCP", "sh", "snippet-mcp.sh"],
  ];

  test.each(programs)("as %s", async (language, program, file) => {
    const url = world.site.page("/it's", htmlPage(`<h1>It's "here"</h1><p class="x">No.</p>`));
    const body = { url, formats: ["markdown"], excludeTags: ['p[class="x"]'] };
    const snippet = SNIPPETS[language]?.(body, { baseUrl: world.baseUrl, needsKey: true }) ?? "";
    const said = await outputOf(program, file, snippet);
    expect(said).toContain(`# It's \\"here\\"`);
    expect(said).not.toContain("No.");
  });
});

describe("an example of the reference runs as it is", () => {
  test.each([
    ["curl", "sh", "example.sh"],
    ["JavaScript", process.execPath, "example.mjs"],
    ["Python", "python3", "example.py"],
  ] as const)("as %s", async (language, program, file) => {
    const url = world.site.page("/for-the-reference", htmlPage("<h1>Of the reference</h1>"));
    const document = (await (await fetch(`${world.baseUrl}/openapi.json`)).json()) as ServiceDocument;
    const scrape = operationsOf(document).find(({ line }) => line === "POST /v2/scrape");
    if (!scrape) throw new Error("The reference has no scrape.");
    const text = OF_REFERENCE[language](exampleRequest(scrape, world.baseUrl));
    const said = await outputOf(program, file, text.replaceAll("https://example.com", url));
    expect(JSON.parse(said)).toMatchObject({ data: { markdown: "# Of the reference" } });
  });
});
