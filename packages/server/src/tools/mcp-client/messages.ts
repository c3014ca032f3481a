import { z } from "zod";

/** Supported protocol versions, the preferred one first. */
export const VERSIONS = ["2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"] as const;

export const InitializeResult = z.object({ protocolVersion: z.enum(VERSIONS) });

/** A tool as its server declares it. Its members are validated one by one later. */
const DeclaredTool = z.looseObject({});
export type DeclaredTool = z.output<typeof DeclaredTool>;

export const ListResult = z.object({
  tools: z.array(DeclaredTool),
  nextCursor: z.string().max(10_000).optional(),
});

export const ToolCallResult = z.object({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});
export type ToolCallResult = z.output<typeof ToolCallResult>;
