import { z } from "zod";

import { parsedBy } from "./kinds.ts";
import { definePart } from "./part.ts";

const SecretValues = z.record(z.string().min(1), z.string().regex(/^[ -~]+$/));

/** @throws Error that quotes nothing of it. */
function parseSecrets(text: string): Readonly<Record<string, string>> {
  try {
    return SecretValues.parse(JSON.parse(text));
  } catch {
    throw new Error("must be a JSON object of names and texts without line breaks");
  }
}

/** What the service calls for its callers beside web pages. */
export const tools = definePart({
  title: "Provider tools",
  settings: z.object({
    PROVIDERS_FILE: z
      .string()
      .optional()
      .describe("the operator's providers: a file of JSON, read at the start and whenever it changes"),
    PROVIDER_SECRETS: parsedBy(parseSecrets)
      .optional()
      .describe('values that the file names by `{"$secret": "NAME"}`: JSON object'),
  }),
  derive: (settings, { environment }) => ({
    providersFile: settings.PROVIDERS_FILE,
    secrets: settings.PROVIDER_SECRETS ?? {},
    /** Where programs of providers find others. */
    programPath: environment["PATH"] ?? "",
  }),
});
