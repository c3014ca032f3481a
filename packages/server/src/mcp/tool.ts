import type { z } from "zod";

import type { RateClassName } from "../api/rate-classes.ts";
import type { SiteMapper } from "../map/run-map.ts";
import type { ParseOperationServices } from "../parse/operations.ts";
import type { PageSearch } from "../search/run-search.ts";
import type { JobService } from "../jobs/job-service.ts";
import type { Interact } from "../interact/interact.ts";
import type { RunServices } from "../scrape/run.ts";
import type { OpenedTools } from "../tools/open.ts";
import type { Content } from "./documents/content.ts";
import type { DocumentReader } from "./documents/stored-document.ts";

export interface McpWork extends RunServices {
  readonly families: {
    readonly map: SiteMapper;
    readonly jobs: JobService;
    readonly search: PageSearch;
    readonly parse: ParseOperationServices;
  };
  readonly providers: OpenedTools;
  /** Loaded with the first call. */
  readonly interact: () => Promise<Interact>;
}

export type ToolContext = DocumentReader;

/**
 * Result of a tool. All of it is content, because clients that also get structured content show their models
 * nothing else.
 */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly isError?: boolean;
}

/** Ids of the service are shorter. */
export const MAX_ID_LENGTH = 100;

interface ToolDefinition<Input extends z.ZodObject> {
  /** Title for people. */
  readonly title: string;
  /** Description for models. Each word costs tokens in every conversation. */
  readonly description: string;
  readonly input: Input;
  /** Hints for clients that ask people before a tool is called. */
  readonly hints: {
    readonly readOnlyHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Endpoint for key restrictions, as for HTTP. */
  readonly endpoint: string;
  /** Rate class, as for HTTP. Work needs credits. */
  readonly rate: RateClassName;
  /** @throws as `runScrape`. */
  call(input: z.output<Input>, context: ToolContext, services: McpWork): Promise<ToolResult>;
}

/** A tool whose input is validated before the call. */
export type Tool = Omit<ToolDefinition<z.ZodObject>, "call"> & {
  /** @throws ZodError for invalid input; errors of the tool. */
  call(input: unknown, context: ToolContext, services: McpWork): Promise<ToolResult>;
};

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  return {
    ...definition,
    call: async (input, context, services) =>
      definition.call(definition.input.parse(input), context, services),
  };
}
