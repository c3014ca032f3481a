import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const words = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** A server of the official library, with tools of every sort. */
export function makeMcpServer(): McpServer {
  const server = new McpServer({ name: "double", version: "0" });
  server.registerTool(
    "add",
    {
      description: "Adds two numbers.",
      inputSchema: { a: z.number(), b: z.number().default(1) },
      outputSchema: { sum: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ ...words(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    "echo",
    { description: "Says it again.", inputSchema: { word: z.string() } },
    ({ word }) => words(word),
  );
  server.registerTool("json", { description: "Answers JSON as text." }, () => words('{"is":"json"}'));
  server.registerTool("fail", { inputSchema: { word: z.string() } }, ({ word }) => ({
    ...words(word),
    isError: true,
  }));
  server.registerTool("environment", {}, () => words(JSON.stringify(process.env)));
  server.registerTool("wait", {}, () => new Promise<never>(() => {}));
  server.registerTool("die", {}, () => process.exit(3));
  server.registerTool("grow", {}, () => {
    server.registerTool("grown", { description: "Came later." }, () => words("grown"));
    return words("done");
  });
  return server;
}
