import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

import { makeMcpServer } from "./mcp-double.ts";

await makeMcpServer().connect(new StdioServerTransport());
process.stderr.write(`The key is ${process.env["KEY"] ?? "missing"}.\n`);
