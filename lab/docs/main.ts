import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { build, builtProgram } from "../../test/built.ts";
import { makeTeam, startSoakService } from "../../test/service-process.ts";
import { htmlPage, openSite } from "../../test/site.ts";
import { runBlocks } from "./blocks.ts";
import { checkStatements } from "./check-statements.ts";
import { checkClients } from "./clients.ts";
import { fillSite } from "./statements/site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TEXT = "Pages are on this machine.";

/** What is tried; without arguments all. */
const { positionals } = parseArgs({ allowPositionals: true });
const isTried = (name: string) => positionals.length === 0 || positionals.includes(name);

const folder = mkdtempSync(join(tmpdir(), "pergamon-docs-"));
await build();
const site = await openSite();
const siteUrl = site.page("/", htmlPage(`<h1>Example</h1><p>${TEXT}</p><a href="/more">More</a>`, "<title>Example</title>"));
site.page("/more", htmlPage("<h1>More</h1><p>Another page.</p>"));
fillSite(site);
const environment = { DATA_DIR: join(folder, "data"), EGRESS_ALLOW: "127.0.0.1", AUTH: "open", ADMIN_KEY: "operator-key-of-the-docs" };
const service = await startSoakService({
  command: builtProgram,
  dataDir: environment.DATA_DIR,
  settings: environment,
});
const baseUrl = service.url;
const failures: string[] = [];
if (isTried("blocks")) {
  const pages = ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)];
  for (const page of pages.filter((name) => name.endsWith(".md")))
    failures.push(...(await runBlocks(page, { root: ROOT, folder, baseUrl, siteUrl: siteUrl.replace(/\/$/, ""), environment })));
}
if (isTried("clients")) {
  const clients = mkdtempSync(join(folder, "clients-"));
  await checkClients({ baseUrl, url: siteUrl, text: TEXT, folder: clients }).catch((failure: unknown) => {
    const { message, stdout = "", stderr = "" } = failure as Error & { readonly stdout?: string; readonly stderr?: string };
    failures.push(`${message}\n${stdout}${stderr}`);
  });
}
if (isTried("statements")) failures.push(...(await tryStatements()));
await service.stop();
await site.close();
rmSync(folder, { recursive: true, force: true });
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

async function tryStatements(): Promise<readonly string[]> {
  const dataDir = join(folder, "keyed");
  const withKeys = await startSoakService({ command: builtProgram, dataDir, });
  const { apiKey } = await makeTeam(withKeys.url, { name: "Statements" });
  const found = await checkStatements({
    root: ROOT,
    folder,
    services: { open: baseUrl, keyed: withKeys.url },
    keys: { key: apiKey, operator: "operator-key-of-the-soak" },
    siteUrl: siteUrl.replace(/\/$/, ""),
    environment: { ...environment, PORT: new URL(baseUrl).port },
  });
  await withKeys.stop();
  return found;
}
