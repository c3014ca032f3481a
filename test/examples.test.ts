import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";

const EXAMPLES = fileURLToPath(new URL("../examples", import.meta.url));

const ALONE = "without-a-server.json";
const OFFICIAL = readdirSync(join(EXAMPLES, "mcp")).filter((name) => name !== ALONE);

interface Servers {
  readonly mcpServers: Readonly<
    Record<string, { readonly command: string; readonly args?: readonly string[] }>
  >;
}

const world = useSharedWorld();
let page: string;

beforeAll(async () => {
  page = world.site.page("/page", htmlPage('<h1>Shop</h1><p>Some text.</p><a href="/more">More</a>'));
});

async function run(program: string, example: string): Promise<string> {
  const env = { PATH: process.env["PATH"], FIRECRAWL_API_URL: world.baseUrl };
  const { stdout } = await promisify(execFile)(program, [join(EXAMPLES, example), page], { env });
  return stdout;
}

describe("the examples", () => {
  test("with curl", async () => {
    expect(JSON.parse(await run("sh", "scrape.sh"))).toMatchObject({
      success: true,
      data: { markdown: expect.stringContaining("# Shop") as string, links: [world.site.url("/more")] },
    });
  });

  test("with the JavaScript client", async () => {
    const printed = await run(process.execPath, "scrape.mjs");
    expect(printed).toContain("# Shop\n\nSome text.");
    expect(printed).toContain(`1 links on ${page}, status 200\n`);
  });

  test("of MCP without a server starts the program of a clone, wherever the assistant runs", () => {
    const { mcpServers } = JSON.parse(readFileSync(join(EXAMPLES, "mcp", ALONE), "utf8")) as Servers;
    const { command, args = [] } = mcpServers["pergamon"] ?? {};
    expect([command, args[1]]).toEqual(["node", "mcp"]);
    expect(args[0]).toMatch(/^\/path\/to\/pergamon\//);
    expect(existsSync(join(EXAMPLES, "..", args[0]?.replace("/path/to/pergamon/", "") ?? ""))).toBe(true);
  });

  test.each(OFFICIAL)("of MCP, %s, point the official server here", (name) => {
    const settings = JSON.parse(readFileSync(join(EXAMPLES, "mcp", name), "utf8")) as Readonly<
      Record<string, Readonly<Record<string, unknown>>>
    >;
    const [servers] = Object.values(settings);
    expect(servers?.["pergamon"]).toMatchObject({
      command: "npx",
      args: ["-y", "firecrawl-mcp"],
      // Without a key the server itself refuses find_tools; in open mode any will do.
      env: { FIRECRAWL_API_URL: "http://127.0.0.1:3002", FIRECRAWL_API_KEY: "any" },
    });
  });
});
