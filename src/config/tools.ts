import { z } from "zod";

import { parsedBy } from "./kinds.ts";
import { definePart } from "./part.ts";

const Value = z.string().regex(/^[ -~]+$/);
const MAX_HOSTS = 100;
/** As addresses have it: lower case, in brackets for IPv6, with the port unless it is that of the scheme. */
const Host = z
  .string()
  .refine((text) => URL.canParse(`http://${text}/`) && new URL(`http://${text}/`).host === text);
const BoundSecret = z.strictObject({ value: Value, hosts: z.array(Host).min(1).max(MAX_HOSTS) });
const SecretValues = z.record(
  z.string().min(1),
  z.union([Value.transform((value) => ({ value })), BoundSecret]),
);

/** @throws Error that quotes nothing of it. */
function parseSecrets(text: string): z.output<typeof SecretValues> {
  try {
    return SecretValues.parse(JSON.parse(text));
  } catch {
    throw new Error(
      'must be a JSON object of names and values: texts without line breaks, or {"value": "…", "hosts": ["api.example.com"]}',
    );
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
      .describe(
        'values that the file names by `{"$secret": "NAME"}`: a JSON object of texts, or of `{"value", "hosts"}` for those that may be sent to these hosts alone',
      ),
  }),
  derive: (settings, { environment }) => ({
    providersFile: settings.PROVIDERS_FILE,
    secrets: settings.PROVIDER_SECRETS ?? {},
    /** Where programs of providers find others. */
    programPath: environment["PATH"] ?? "",
  }),
});
