import { z } from "zod";

const MAX_LIMIT = 1000;
export const DEFAULT_LIMIT = 100;

const SKIP = "skip must be a non-negative integer without trailing characters";
const LIMIT = "limit must be a positive integer without trailing characters";
const LIMIT_RANGE = `limit must be an integer between 1 and ${MAX_LIMIT}`;

/** Which documents of a run are asked for (contract of the families, section 1.3). */
export const pageQuery = z.object({
  skip: wholeNumber("skip", (number) => (number === undefined ? SKIP : undefined)).meta({
    type: "integer",
    minimum: 0,
    default: 0,
    description: "Documents to leave out, from the first on.",
  }),
  limit: wholeNumber("limit", (number) => {
    if (number === undefined) return LIMIT;
    return number < 1 || number > MAX_LIMIT ? LIMIT_RANGE : undefined;
  }).meta({
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: "The most documents of a page, which also ends at 10 MiB.",
  }),
});

/**
 * A number in digits, as queries have it.
 * @param problemOf what is wrong with it; undefined stands for text that is not a safe integer.
 */
function wholeNumber(name: string, problemOf: (number: number | undefined) => string | undefined) {
  return z
    .unknown()
    .optional()
    .transform((value, context): number | undefined => {
      if (value === undefined) return undefined;
      // A parameter sent twice becomes a list.
      const number = typeof value === "string" ? safeInteger(value) : undefined;
      const problem =
        typeof value === "string" ? problemOf(number) : `${name} must be a single value, not an array`;
      if (problem !== undefined)
        context.addIssue({ code: "custom", message: `Invalid pagination: ${problem}` });
      return number;
    });
}

function safeInteger(text: string): number | undefined {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
