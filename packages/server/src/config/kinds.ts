import { isIP } from "node:net";

import { z } from "zod";

const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?$/i;
/** RFC 1035, section 2.3.4, without the dot at the end. */
const MAX_HOST_NAME_LENGTH = 253;

/** A decimal integer within these bounds, both included. */
export function wholeNumber({ least = 1, most = Number.MAX_SAFE_INTEGER } = {}) {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return z
    .string()
    .transform(wholeNumberOf)
    .refine((number) => number >= least && number <= most, {
      error: `must be a whole number ${range}`,
    })
    .meta({ allowed: range.replace(/^(?:of|from) /, "") });
}

/** A limit of 1 to `most`, or `off` for none. */
export function limitOrOff({ most }: { readonly most: number }) {
  return z
    .string()
    .transform((text) => (text === "off" ? text : wholeNumberOf(text)))
    .refine((limit) => limit === "off" || (limit >= 1 && limit <= most), {
      error: `must be a whole number from 1 to ${most}, or off`,
    })
    .meta({ allowed: `1 to ${most}, off` });
}

function wholeNumberOf(text: string): number {
  return /^\d{1,16}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** A key in an HTTP header, sent or received. Errors do not quote it. */
export function headerKey({ least = 1 } = {}) {
  return z
    .string()
    .min(least, { error: `must have at least ${least} characters` })
    .regex(/^[!-~]*$/, { error: "must be printable ASCII characters without spaces" })
    .meta(least > 1 ? { allowed: `at least ${least} characters` } : {});
}

export function choice<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: `must be one of: ${words.join(", ")}` });
}

/** An absolute URL with one of these schemes. Errors do not quote it, because it may hold credentials. */
export function urlOf(...schemes: readonly string[]) {
  return z.url({
    protocol: new RegExp(`^(?:${schemes.join("|")})$`),
    error: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    // Parsed URLs, so that settings can be compared with each other.
    abort: true,
  });
}

/** An IP address or a name to listen on or to connect to. */
export function host() {
  return z.string().refine((text) => isIP(text) !== 0 || isHostName(text), {
    error: "must be an IP address or a host name, without scheme and port",
  });
}

function isHostName(text: string): boolean {
  return text.length <= MAX_HOST_NAME_LENGTH && HOST_NAME.test(text) && !text.includes("..");
}

/** A comma-separated list; empty entries are ignored. */
export function list<Entry>(entry: z.ZodType<Entry, string>) {
  return z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(entry))
    .readonly();
}

/** Text that a parser converts. The operator sees the message of its error. */
export function parsedBy<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (failure) {
      context.addIssue({
        code: "custom",
        message: failure instanceof Error ? failure.message : String(failure),
      });
      return z.NEVER;
    }
  });
}

/** Text that a parser accepts, kept as text. */
export function checkedBy(check: (text: string) => unknown) {
  return parsedBy((text) => {
    check(text);
    return text;
  });
}
