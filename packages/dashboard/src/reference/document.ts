/** What this page reads of JSON Schema. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly $ref?: string;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema & { readonly examples?: readonly unknown[] };
}

interface Described {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

/** The OpenAPI document of the service. */
export interface ServiceDocument {
  /** Whether the dashboard is there, with its playground. */
  readonly "x-dashboard"?: true;
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation, and where it stands. */
export interface Operation extends Described {
  /** `POST /v2/scrape`. */
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly part: Part;
}

/** Whom an operation is for: each part is shown by itself. */
export const PARTS = { api: "API", v1: "Version 1", operator: "Operator" } as const;
export type Part = keyof typeof PARTS;

/** In the order of the document. */
export function operationsOf({ paths }: ServiceDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, described]) => {
      const method = name.toUpperCase();
      const [tag = ""] = described.tags;
      return { ...described, line: `${method} ${path}`, method, path, tag, part: partOf(path, described) };
    }),
  );
}

function partOf(path: string, { security = [] }: Described): Part {
  if (security.some((way) => "operatorKey" in way)) return "operator";
  return path.startsWith("/v1/") ? "v1" : "api";
}

/** Operations whose line, summary or tag has each of the words. */
export function search(operations: readonly Operation[], words: string): readonly Operation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ line, summary, tag }) => {
    const text = `${line} ${summary} ${tag}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** What a reference to a named shape stands for. References within a shape stand for any JSON. */
export function resolved(schema: Schema, { components }: ServiceDocument): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  if (name === undefined) return schema;
  return Object.entries(components.schemas).find(([own]) => own === name)?.[1] ?? {};
}

/** The first example of a body; undefined where there is none. */
export function exampleOf({ example, examples = {} }: Content): unknown {
  return example ?? Object.values(examples)[0]?.value;
}
