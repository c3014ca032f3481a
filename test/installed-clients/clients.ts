import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** Clients that are too large to be dependencies: where `scripts/install-official-clients.sh` has installed them. */
export const CLIENTS = process.env["OFFICIAL_CLIENTS"] ?? "";
/** A Python with `firecrawl-py`, if it has. */
export const PYTHON =
  process.env["FIRECRAWL_PYTHON"] ?? (CLIENTS === "" ? "python3" : join(CLIENTS, "py/bin/python"));
export const NOTE =
  CLIENTS === "" ? " (left out: set OFFICIAL_CLIENTS to a folder where they are installed)" : "";
if (CLIENTS === "")
  console.warn("NOT TESTED: official clients, for OFFICIAL_CLIENTS names no folder that has them.");

const run = promisify(execFile);

export const hasPythonClient: boolean = await run(PYTHON, ["-c", "import firecrawl"]).then(
  () => true,
  () => false,
);
if (!hasPythonClient) console.warn("NOT TESTED: the official Python client is not installed.");

/** The official clients as somebody uses them who has nothing else: with a home of their own. */
export class InstalledClients {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #baseUrl: string;

  private constructor(home: string, baseUrl: string) {
    this.home = home;
    this.#baseUrl = baseUrl;
    const { PATH = "" } = process.env;
    this.env = { PATH, HOME: home, FIRECRAWL_API_KEY: "fc-anything", FIRECRAWL_API_URL: baseUrl };
  }

  /** @param baseUrl of the service that they are for. */
  static async open(baseUrl: string): Promise<InstalledClients> {
    return new InstalledClients(await mkdtemp(join(tmpdir(), "clients-")), baseUrl);
  }

  close(): Promise<void> {
    return rm(this.home, { recursive: true, force: true });
  }

  /** What the command line prints. */
  async say(...words: readonly string[]): Promise<string> {
    const program = join(CLIENTS, "node_modules/.bin/firecrawl");
    const args = [...words, "--api-url", this.#baseUrl];
    return (await run(program, args, { env: this.env, cwd: this.home })).stdout;
  }

  /** Runs a program of Node that imports them. */
  async node(...args: readonly string[]): Promise<string> {
    return (await run(process.execPath, [...args], { env: this.env })).stdout;
  }

  /** The MCP server while it is used. */
  async withMcp(
    use: (ask: (tool: string, input: object) => Promise<string>) => Promise<void>,
  ): Promise<void> {
    const command = join(CLIENTS, "node_modules/.bin/firecrawl-mcp");
    const client = new Client({ name: "test", version: "0" });
    await client.connect(new StdioClientTransport({ command, env: { ...this.env }, cwd: this.home }));
    try {
      await use(async (name, input) => {
        const { content, isError } = await client.callTool({ name, arguments: { ...input } });
        const text = JSON.stringify(content);
        if (isError) throw new Error(`${name} failed: ${text}`);
        return text;
      });
    } finally {
      await client.close();
    }
  }
}
