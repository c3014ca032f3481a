import type { DeclaredTool } from "../mcp-client/messages.ts";
import type { OptionsSchema } from "../catalogue/capability.ts";
import { Unusable } from "../openapi/document.ts";
import { isJsonObject, objectOf, textOf } from "@pergamon-dev/kit/json";
import { MAX_SCHEMA_BYTES, SchemaCopier } from "../openapi/schemas.ts";

const MAX_DESCRIPTION_LENGTH = 2000;

interface Declaration {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** As the server says, which the operator may know better. */
  readonly readOnly: boolean;
  readonly options: OptionsSchema;
  /** Why it cannot be called. */
  readonly problem: string | undefined;
}

/** A tool as its server declares it, not checked. */
export function declarationOf(tool: DeclaredTool): Declaration {
  const name = textOf(tool["name"]) ?? "";
  const annotations = objectOf(tool["annotations"]);
  const title = textOf(tool["title"]) ?? textOf(annotations["title"]) ?? name;
  const facts = {
    id: name.slice(0, 200),
    name: title.slice(0, 200),
    description: (textOf(tool["description"]) ?? title).slice(0, MAX_DESCRIPTION_LENGTH),
    readOnly: annotations["readOnlyHint"] === true,
  };
  if (!/^[!-~](?:[ -~]{0,198}[!-~])?$/.test(name)) {
    return { ...facts, options: {}, problem: "its name is invalid" };
  }
  try {
    return { ...facts, options: optionsOf(tool["inputSchema"]), problem: undefined };
  } catch (failure) {
    if (!(failure instanceof Unusable)) throw failure;
    return { ...facts, options: {}, problem: failure.message };
  }
}

function optionsOf(schema: unknown): OptionsSchema {
  if (!isJsonObject(schema)) throw new Unusable("it declares no options");
  const schemas = new SchemaCopier(schema);
  const copied = objectOf(schemas.copy(schema));
  const definitions = schemas.definitions();
  const options = {
    ...copied,
    type: "object",
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
  if (Buffer.byteLength(JSON.stringify(options)) > MAX_SCHEMA_BYTES)
    throw new Unusable("its options are too large");
  return options;
}
