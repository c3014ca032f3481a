import { z } from "zod";

import { CHECK_STATUSES, PAGE_STATUSES } from "../api/monitor.ts";

const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 25;

/** Parses a whole number in a query. */
function digits(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .optional()
    .meta({ type: "integer", minimum: least, maximum: most });
}

const limit = digits(1, MAX_LIMIT).describe("Entries of a page. Default: 25.");
const offset = digits(0, Number.MAX_SAFE_INTEGER).describe("Entries to leave out. Default: 0.");

export const listQuery = z.object({ limit, offset });
export const checksQuery = z.object({ limit, offset, status: z.enum(CHECK_STATUSES).optional() });
export const pagesQuery = z.object({ limit, skip: offset, status: z.enum(PAGE_STATUSES).optional() });
