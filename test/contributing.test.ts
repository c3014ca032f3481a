import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { transformSync } from "esbuild";
import { expect, test } from "vitest";

import { jobKinds } from "../packages/server/src/app/job-kinds.ts";
import { addOperations } from "../packages/server/src/http/add-operations.ts";
import { checkNames } from "../packages/server/src/http/openapi/describe-service.ts";
import type { JobKind } from "../packages/server/src/jobs/job-kind.ts";
import type { Operation } from "../packages/server/src/api/operation.ts";
import type { Limits } from "../packages/server/src/accounts/limits.ts";
import type * as formats from "../packages/server/src/scrape/formats/all.ts";
import { formatRequests } from "../packages/server/src/scrape/request/formats.ts";
import { scrapeRequestSchema } from "../packages/server/src/scrape/request/schema.ts";
import { operations } from "./operations.ts";
import { RunClient } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { openTeamServer } from "./team-server.ts";
import { openWorld } from "./world.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");

/** What the guide has below a heading: the file with its path, and the line for the table. */
function typed(heading: string) {
  const section = guide.slice(guide.indexOf(`\n## ${heading}\n`)).split("\n## ")[1] ?? "";
  const blocks = [...section.matchAll(/`(packages\/[^`]+\.ts)`[^`]*\n\n```ts\n([\s\S]*?)```/g)];
  const [file, line] = blocks.map(([, path = "", code = ""]) => ({ path, code }));
  if (!file || !line) throw new Error(`${heading} has no file and no line.`);
  return { file, line };
}

/** Runs a file as it is typed, with the imports that it has where it belongs. @returns what it exports. */
async function run({ path, code }: { readonly path: string; readonly code: string }) {
  const folder = join(ROOT, dirname(path));
  const names = [...code.matchAll(/^import (?!type).*? from "([^"]+)";$/gm)].map(([, name = ""]) => name);
  const modules = new Map<string, unknown>();
  for (const name of names) {
    modules.set(name, await import(/* @vite-ignore */ name.startsWith(".") ? join(folder, name) : name));
  }
  const exported: Record<string, unknown> = {};
  const script = transformSync(code, { loader: "ts", format: "cjs" }).code;
  const module = { exports: exported };
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the guide's code is what is tested
  new Function("require", "module", "exports", script)((name: string) => modules.get(name), module, exported);
  return module.exports as Readonly<Record<string, unknown>>;
}

test("the format of the guide can be asked for, and gives what it says", async () => {
  const { file, line } = typed("Add a format");
  const { externalLinks } = (await run(file)) as { readonly externalLinks: (typeof formats)["links"] };
  expect(line.code).toContain("export { externalLinks }");
  const request = scrapeRequestSchema(() => true, { ...formatRequests, externalLinks });
  expect(request.safeParse({ url: "http://a.test/", formats: ["externalLinks"] }).success).toBe(true);
  const page = {
    capture: { url: "http://a.test/" },
    links: async () => ["http://a.test/x", "http://b.test/y"],
  };
  const produce = externalLinks.produce as (given: unknown) => Promise<unknown>;
  expect(await produce(page)).toEqual({ externalLinks: ["http://b.test/y"] });
});

test("the operation of the guide has a path and a name of its own, and is answered", async () => {
  const { file, line } = typed("Add an operation");
  const { running } = (await run(file)) as { readonly running: Operation<Limits> };
  expect(line.code.trim()).toBe("group([running], ({ limits }) => limits),");
  expect(() => checkNames([...operations, running])).not.toThrow();
  const teams = await openTeamServer((scope, _accounts, limits) => addOperations(scope, [running], limits));
  const { ask } = await teams.makeTeam();
  expect(await ask("GET /v2/team/running")).toEqual([200, { success: true, running: 0 }]);
  await teams.close();
});

test("the kind of job of the guide scrapes its pages", async () => {
  const { file, line } = typed("Add a kind of job");
  const { survey } = (await run(file)) as { readonly survey: JobKind };
  expect(line.code).toContain("survey]");
  const world = await openWorld({}, undefined, "shared", [...jobKinds, survey]);
  const url = world.site.page("/lamp", htmlPage("<h1>Lamp</h1>"));
  const client = new RunClient(world, {});
  const { status, body } = await client.ask("POST /v2/survey", { topic: "lamps", urls: [url] });
  expect(status).toBe(200);
  expect(await client.ended(`/v2/survey/${body.id}`)).toMatchObject({ status: "completed", completed: 1 });
  await world.close();
});
