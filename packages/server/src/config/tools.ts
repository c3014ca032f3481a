import { z } from "zod";

import { parsedBy } from "./kinds.ts";
import { definePart } from "./part.ts";

const Value = z.string().regex(/^[ -~]+$/);
const MAX_HOSTS = 100;
/** Spelled as in URLs: lower case, IPv6 in brackets, and the port unless it is the scheme's default. */
const Host = z
  .string()
  .refine((text) => URL.canParse(`http://${text}/`) && new URL(`http://${text}/`).host === text);
const BoundSecret = z.strictObject({ value: Value, hosts: z.array(Host).min(1).max(MAX_HOSTS) });
const SecretValues = z.record(
  z.string().min(1),
  z.union([Value.transform((value) => ({ value })), BoundSecret]),
);

/** @throws Error that quotes nothing of the text. */
function parseSecrets(text: string): z.output<typeof SecretValues> {
  try {
    return SecretValues.parse(JSON.parse(text));
  } catch {
    throw new Error(
      'must be a JSON object of names and values: strings without line breaks, or {"value": "…", "hosts": ["api.example.com"]}',
    );
  }
}

/** Services besides web pages that callers can use. */
export const tools = definePart({
  title: "Provider tools",
  settings: z.object({
    PROVIDERS_FILE: z
      .string()
      .optional()
      .describe("JSON file with the operator's providers, read at the start and after each change"),
    PROVIDER_SECRETS: parsedBy(parseSecrets)
      .optional()
      .describe(
        'secrets that the file refers to as `{"$secret": "NAME"}`: JSON object of strings, or of `{"value", "hosts"}` for secrets that may be sent only to these hosts',
      ),
  }),
  derive: (settings, { environment }) => ({
    providersFile: settings.PROVIDERS_FILE,
    secrets: settings.PROVIDER_SECRETS ?? {},
    /** Search path for the programs of providers. */
    programPath: environment["PATH"] ?? "",
  }),
});
