import { z } from "zod";

import { isAddressOrBlock } from "./ip-address.ts";

/** `10.0.0.0/8`, `2001:db8::/32`, or one address. */
const Address = z
  .string()
  .max(200)
  .refine(isAddressOrBlock, {
    error: (issue) => `Not an IP address or CIDR block: "${String(issue.input)}"`,
  });

/** Kinds of operations to which a key can be restricted. */
export type Endpoints = readonly string[];

/** Stored restrictions of a key. A missing member restricts nothing. */
export const KeyRestrictions = z.strictObject({
  formats: z
    .array(z.string().max(50))
    .max(50)
    .optional()
    .describe(
      "Formats, and the actions screenshot, scrape, executeJavascript and pdf, that the key can request.",
    ),
  endpoints: z.array(z.string().max(50)).max(50).optional(),
  allowedIps: z
    .array(Address)
    .max(1000)
    .optional()
    .describe("Allowed IP addresses and CIDR blocks of callers."),
  requestsPerMinute: z.int().min(1).optional(),
  banned: z.boolean().optional().describe("Whether all requests are rejected. Default: false."),
  credits: z.int().min(0).optional().describe("Maximum credits per calendar month (UTC)."),
});

export type KeyRestrictions = z.output<typeof KeyRestrictions>;

/** Says whether a key may read content in this format. Undefined stands for every format. */
export function mayRead({ formats }: KeyRestrictions, format: string | undefined): boolean {
  return !formats || (format !== undefined && formats.includes(format));
}

/** Schema of key restrictions for these endpoints. */
export function keyRestrictionsFor(endpoints: Endpoints) {
  return KeyRestrictions.extend({
    endpoints: z
      .array(z.enum(endpoints))
      .max(endpoints.length)
      .optional()
      .describe(
        "Default: all endpoints. With `formats` set, all except interact, because a live page shows every format, and, without the format json, agent.",
      ),
  });
}
