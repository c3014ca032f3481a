import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { OptionsSchema } from "../catalogue/capability.ts";
import { type Body, readBody } from "./body.ts";
import { resolveReference, Unusable } from "./document.ts";
import { type JsonObject, listOf, objectOf, textOf } from "@pergamon-dev/kit/json";
import { type Parameter, readParameters } from "./parameters.ts";
import { MAX_SCHEMA_BYTES, SchemaCopier } from "./schemas.ts";
import { readSecurity, type SecurityScheme } from "./security.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An operation of a document, as a request that options fill. */
export interface DocumentedOperation {
  readonly id: string;
  readonly name: string | undefined;
  readonly description: string;
  readonly method: Method;
  /** `{name}` marks parameters. */
  readonly path: string;
  /** Base URL of the path. */
  readonly server: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly security: readonly SecurityScheme[];
  readonly options: OptionsSchema;
}

export interface ReadingOptions {
  /** Replaces the server that the document names. */
  readonly base: string | undefined;
  /** URL of the document; undefined for a file. */
  readonly documentUrl: string | undefined;
  /** Names of the security schemes with configured secrets. */
  readonly given: ReadonlySet<string>;
  readonly isWanted: (id: string) => boolean;
}

const METHODS: Readonly<Record<string, Method>> = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
};
const MAX_OPERATIONS = 500;
const MAX_DESCRIPTION_LENGTH = 2000;

interface ReadOperations {
  readonly operations: readonly DocumentedOperation[];
  /** Operations that cannot be called, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Reads all operations of a document that can be called. The others do not prevent that. */
export function readOperations(document: JsonObject, options: ReadingOptions): ReadOperations {
  const found = new Map<string, DocumentedOperation>();
  const leftOut: string[] = [];
  for (const place of placesOf(document)) {
    if (!options.isWanted(place.id)) continue;
    try {
      if (found.size >= MAX_OPERATIONS) throw new Unusable(`the document has more than ${MAX_OPERATIONS}`);
      if (found.has(place.id)) throw new Unusable("another operation has the same id");
      found.set(place.id, readOperation(place, document, options));
    } catch (failure) {
      if (!(failure instanceof Unusable)) throw failure;
      leftOut.push(`${place.id}: ${failure.message}`);
    }
  }
  return { operations: [...found.values()], leftOut };
}

/** Location of an operation in the document. */
interface Place {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

function* placesOf(document: JsonObject): Iterable<Place> {
  for (const [path, entry] of Object.entries(objectOf(document["paths"]))) {
    const item = pathItem(entry, document);
    for (const [word, method] of Object.entries(METHODS)) {
      const declared = ownProperty(item, word);
      if (declared === undefined) continue;
      const operation = objectOf(declared);
      const given = textOf(operation["operationId"]);
      const id =
        given !== undefined && /^[ -~]{1,200}$/.test(given) ? given : `${method} ${path}`.slice(0, 200);
      yield { id: id.trim(), method, path, item, operation };
    }
  }
}

function pathItem(entry: unknown, document: JsonObject): JsonObject {
  try {
    return objectOf(resolveReference(entry, document));
  } catch {
    return {};
  }
}

function readOperation(
  { id, method, path, item, operation }: Place,
  document: JsonObject,
  { base, documentUrl, given }: ReadingOptions,
): DocumentedOperation {
  const schemas = new SchemaCopier(document);
  const parameters = readParameters({ path: item, operation, document }, schemas);
  const taken = new Set(parameters.map(({ option }) => option));
  const body = method === "GET" ? undefined : readBody(operation, { document, schemas, taken });
  refuseUnfilled(path, parameters);
  const name = textOf(operation["summary"])?.slice(0, 200);
  const description = textOf(operation["description"]) ?? name ?? `${method} ${path}`;
  return {
    id,
    name,
    description: description.slice(0, MAX_DESCRIPTION_LENGTH),
    method,
    path,
    server: base ?? readServer([operation, item, document], documentUrl),
    parameters,
    body,
    security: readSecurity(operation, { document, given }),
    options: optionsOf(parameters, body, schemas),
  };
}

function refuseUnfilled(path: string, parameters: readonly Parameter[]): void {
  if (!path.startsWith("/")) throw new Unusable("its path does not begin with /");
  for (const [, name = ""] of path.matchAll(/\{([^{}]*)\}/g)) {
    const isFilled = parameters.some((parameter) => parameter.place === "path" && parameter.name === name);
    if (!isFilled)
      throw new Unusable(`its path contains ${JSON.stringify(name)}, but no parameter has that name`);
  }
}

function optionsOf(
  parameters: readonly Parameter[],
  body: Body | undefined,
  schemas: SchemaCopier,
): OptionsSchema {
  const named = parameters.map(({ option, schema }) => [option, schema] as const);
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ option }) => option);
  const definitions = schemas.definitions();
  const options = {
    type: "object",
    properties: { ...Object.fromEntries(named), ...body?.properties },
    required: [...new Set([...required, ...(body?.required ?? [])])],
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
  if (Buffer.byteLength(JSON.stringify(options)) > MAX_SCHEMA_BYTES) {
    throw new Unusable("its options are too large");
  }
  return options;
}

/**
 * The server of an operation: the nearest one that the document names, with the defaults of its variables.
 * @param holders the operation, its path and the document, in this order.
 * @param documentUrl base of relative URLs; undefined for a file.
 * @throws Unusable when there is none.
 */
function readServer(holders: readonly JsonObject[], documentUrl: string | undefined): string {
  const [server] = holders.flatMap(({ servers }) => listOf(servers).slice(0, 1));
  const declared = objectOf(server);
  const variables = objectOf(declared["variables"]);
  const template = textOf(declared["url"]) ?? "/";
  const address = template.replaceAll(
    /\{([^{}]*)\}/g,
    (_all, name: string) => textOf(objectOf(ownProperty(variables, name))["default"]) ?? "",
  );
  if (!URL.canParse(address, documentUrl)) throw new Unusable("it declares no server: set base");
  const url = new URL(address, documentUrl);
  if (!/^https?:$/.test(url.protocol)) throw new Unusable("its server URL is not http or https: set base");
  url.search = "";
  url.hash = "";
  return url.href;
}
