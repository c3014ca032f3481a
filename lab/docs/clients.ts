import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const NPM = [
  "@apidevtools/swagger-parser@13.0.0",
  "@redocly/cli@2.77.0",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "typescript@5.9.3",
];
const PYTHON = ["openapi-python-client==0.29.1"];
const LIMIT_MS = 300_000;

/** In strict mode, so a type that is missing or wrong fails. */
const TYPESCRIPT = `import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const [baseUrl = "", url = ""] = process.argv.slice(2);
const { data, error } = await createClient<paths>({ baseUrl }).POST("/v2/scrape", {
  body: { url, formats: ["markdown"] },
});
if (error || !data || !("metadata" in data.data)) throw new Error(JSON.stringify(error));
const text: string | undefined = data.data.markdown;
console.log(text);
`;

const PYTHON_PROGRAM = `import sys
from generated import Client
from generated.api.scraping import post_v_2_scrape
from generated.models import ScrapeAnswer, ScrapeRequest

base_url, url = sys.argv[1:]
body = ScrapeRequest.from_dict({"url": url, "formats": ["markdown"]})
answer = post_v_2_scrape.sync(client=Client(base_url=base_url), body=body)
assert isinstance(answer, ScrapeAnswer), answer
print(answer.data.markdown)
`;

interface Target {
  /** Of the running service. */
  readonly baseUrl: string;
  /** A page with this text. */
  readonly url: string;
  readonly text: string;
  /** An empty folder for what is installed and generated. */
  readonly folder: string;
}

/** Two validators judge the reference; clients that two generators make of it scrape a page. @throws what failed. */
export async function checkClients({ baseUrl, url, text, folder }: Target): Promise<void> {
  const run = async (program: string, ...args: string[]) => {
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, timeout: LIMIT_MS });
    return stdout;
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${baseUrl}/openapi.json`)).text());
  await run("npm", "install", "--no-audit", "--no-fund", "--silent", ...NPM);
  await run("python3", "-m", "venv", "py");
  await run("py/bin/pip", "install", "--quiet", ...PYTHON);

  const validate = 'import p from "@apidevtools/swagger-parser"; await p.validate("openapi.json");';
  await run(process.execPath, "--input-type=module", "-e", validate);
  console.log("swagger-parser: valid");
  await run("node_modules/.bin/redocly", "lint", "openapi.json", "--format=summary");
  console.log("redocly: valid");

  await run("node_modules/.bin/openapi-typescript", "openapi.json", "-o", "api.d.ts", "--default-non-nullable=false");
  writeFileSync(join(folder, "client.ts"), TYPESCRIPT);
  writeFileSync(join(folder, "node.d.ts"), "declare const process: { argv: string[] };");
  const modern = ["--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "--skipLibCheck"];
  await run("node_modules/.bin/tsc", "--strict", ...modern, "client.ts", "node.d.ts");
  expectText("openapi-typescript", await run(process.execPath, "client.js", baseUrl, url), text);

  await run("py/bin/openapi-python-client", "generate", "--path", "openapi.json", "--meta", "none", "--output-path", "generated");
  writeFileSync(join(folder, "client.py"), PYTHON_PROGRAM);
  expectText("openapi-python-client", await run("py/bin/python", "client.py", baseUrl, url), text);
}

function expectText(client: string, printed: string, text: string): void {
  if (!printed.includes(text)) throw new Error(`The client of ${client} printed: ${printed}`);
  console.log(`${client}: its client scraped a page`);
}
