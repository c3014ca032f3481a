import { z } from "zod";

import { boundedRecord } from "../../api/bounded-record.ts";

const Id = z
  .string()
  .max(200)
  .regex(/^[a-z0-9][a-z0-9._/-]{0,199}$/, "must be lower-case letters, digits and . _ / -");
const Text = z.string().min(1).max(4000);
/** Used for names of options and fields, and for paths into answers. */
const Name = z.string().max(1000);
/** Maximum number of headers, options, fields or variables. */
const MAX_ENTRIES = 200;
/** Maximum characters of a value. Tokens and certificates are shorter. */
const MAX_VALUE_LENGTH = 64 * 1024;

/** The name of a secret in PROVIDER_SECRETS, so that the file does not contain its value. */
const Secret = z.strictObject({ $secret: Text });

const Credits = z.number().min(0).max(10_000);
/** A value that is valid in an HTTP header. */
const HeaderValue = z
  .string()
  .max(MAX_VALUE_LENGTH)
  .regex(/^[\t -~]*$/, "must be printable ASCII characters");
const Headers = boundedRecord(
  z.union([HeaderValue, Secret]),
  MAX_ENTRIES,
  z.string().regex(/^[A-Za-z0-9-]+$/),
);

const OptionsSchema = z
  .looseObject({ type: z.literal("object") })
  .refine((schema) => JSON.stringify(schema).length <= 65_536, { error: "is longer than 64 KB" });

const Terms = z.strictObject({
  text: z.string().min(1).max(100_000),
  version: Text,
  url: z.url().optional(),
});

/** Fields of a capability of any kind. */
const capabilityFields = {
  id: Id,
  name: Text.optional(),
  description: Text,
  whenToUse: Text.optional(),
  creditsCost: Credits.default(1),
  perRecord: z.boolean().default(false),
  maxRecords: z.int().min(1).max(10_000).default(100),
  readOnly: z.boolean().default(false),
  options: OptionsSchema,
  example: boundedRecord(z.unknown()).optional(),
};

const HttpCapability = z.strictObject({
  ...capabilityFields,
  request: z.strictObject({
    method: z.enum(["GET", "POST"]).default("GET"),
    /** `{name}` is replaced by an option, encoded as one path segment. */
    path: z.string().max(4000).startsWith("/"),
    query: boundedRecord(Text, MAX_ENTRIES).default({}),
    /** Names of the options that the JSON body contains. */
    body: z.array(Name).max(MAX_ENTRIES).optional(),
  }),
  response: z
    .strictObject({
      /** Name → path into the answer, such as `items.*.title`. */
      pick: boundedRecord(Name, MAX_ENTRIES).optional(),
      /** Path of the list that contains the records. */
      records: Name.optional(),
      about: Text.optional(),
      fields: z
        .array(z.strictObject({ name: Name, type: Name }))
        .max(MAX_ENTRIES)
        .optional(),
    })
    .default({}),
});
export type HttpCapability = z.output<typeof HttpCapability>;

const providerFields = {
  id: Id,
  name: Text,
  description: Text,
  domains: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^[a-z0-9.-]+$/),
    )
    .max(100)
    .default([]),
  cohorts: z.array(Text).max(20).default([]),
  attribution: Text.optional(),
  terms: Terms.optional(),
  rate: z.strictObject({ perSecond: z.number().min(0.01).max(1000) }).optional(),
};

export const HttpProvider = z.strictObject({
  ...providerFields,
  kind: z.literal("http"),
  /** Base URL of requests, which no option changes. */
  base: z.url({ protocol: /^https?$/ }),
  headers: Headers.default({}),
  capabilities: z.array(HttpCapability).min(1).max(500),
});
export type HttpProvider = z.output<typeof HttpProvider>;

/** What the operator changes about a capability that is declared elsewhere. */
const Override = z.strictObject({
  name: Text.optional(),
  description: Text.optional(),
  whenToUse: Text.optional(),
  creditsCost: Credits.optional(),
  readOnly: z.boolean().optional(),
  example: boundedRecord(z.unknown()).optional(),
});

/** Fields for providers whose capabilities are declared elsewhere. */
const mountFields = {
  /** Ids of the only capabilities to mount. */
  include: z.array(Name).max(500).optional(),
  exclude: z.array(Name).max(500).default([]),
  creditsCost: Credits.default(1),
  capabilities: boundedRecord(Override).default({}),
};
export type MountFields = Pick<OpenApiProvider, keyof typeof mountFields>;

export const OpenApiProvider = z.strictObject({
  ...providerFields,
  ...mountFields,
  kind: z.literal("openapi"),
  /** URL or file of the document. A file is absolute, or relative to the file of providers. */
  document: z.string().min(1).max(4000),
  /** Replaces the server that the document names. */
  base: z.url({ protocol: /^https?$/ }).optional(),
  headers: Headers.default({}),
  /** Name of a security scheme of the document → its secret. */
  security: boundedRecord(Secret, MAX_ENTRIES).default({}),
});
export type OpenApiProvider = z.output<typeof OpenApiProvider>;

export const McpProvider = z
  .strictObject({
    ...providerFields,
    ...mountFields,
    kind: z.literal("mcp"),
    /** Absolute path of a program, which starts without a shell. */
    command: z.string().max(4000).startsWith("/", "must be an absolute path").optional(),
    args: z.array(z.string().max(4000)).max(100).default([]),
    /** All environment variables of the program besides PATH. */
    env: boundedRecord(
      z.union([z.string().max(MAX_VALUE_LENGTH), Secret]),
      MAX_ENTRIES,
      z.string().regex(/^\w+$/),
    ).default({}),
    /** URL of a remote server. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    headers: Headers.default({}),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: "needs either command or url",
  });
export type McpProvider = z.output<typeof McpProvider>;

/** Disables the bundled provider of this id. */
export const OffProvider = z.strictObject({ id: Id, kind: z.literal("off") });
export type OffProvider = z.output<typeof OffProvider>;

const ProviderEntry = z.discriminatedUnion("kind", [HttpProvider, OpenApiProvider, McpProvider, OffProvider]);

export const ProvidersFile = z.strictObject({ providers: z.array(ProviderEntry).max(1000) });
export type ProvidersFile = z.output<typeof ProvidersFile>;
