import { z } from "zod";

import { choice } from "./kinds.ts";
import { definePart } from "./part.ts";

export const logging = definePart({
  title: "Logging",
  settings: z.object({
    LOG_LEVEL: choice("fatal", "error", "warn", "info", "debug", "trace", "silent")
      .default("info")
      .describe(
        "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; `debug` adds a `Server-Timing` header to answers",
      ),
    LOG_FORMAT: choice("pretty", "json").optional().meta({
      description: "human-readable (`pretty`) or machine-readable (`json`)",
      unset: "`pretty` on a terminal, else `json`",
    }),
  }),
  derive: (settings, { isTerminal }) => ({
    level: settings.LOG_LEVEL,
    format: settings.LOG_FORMAT ?? (isTerminal ? "pretty" : "json"),
  }),
});
