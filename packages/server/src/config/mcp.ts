import { z } from "zod";

import { headerKey, urlOf } from "./kinds.ts";
import { definePart } from "./part.ts";

/** The service that `pergamon mcp` speaks for. */
export const mcp = definePart({
  title: "Model Context Protocol on standard input and output: `pergamon mcp`",
  settings: z.object({
    PERGAMON_URL: urlOf("http", "https").optional().meta({
      description: "base URL of the service that executes the tools",
      unset: "this process executes them",
    }),
    PERGAMON_API_KEY: headerKey().optional().describe("key for that service"),
  }),
  derive: (settings) => ({
    /** Without a slash at its end. */
    remoteUrl: settings.PERGAMON_URL?.replace(/\/+$/, ""),
    remoteApiKey: settings.PERGAMON_API_KEY,
  }),
});
