import type { JsonSchema } from "../forms/json-schema.ts";
import { type Loaded, useLoad } from "./load.ts";

/** What the description of the service says of a request, by the name of its shape. */
export function useSchema(name: string): Loaded<JsonSchema> {
  return useLoad(`schema ${name}`, (signal) => requestSchema(name, signal), { everyMs: "fixed" });
}

async function requestSchema(name: string, signal: AbortSignal): Promise<JsonSchema> {
  const response = await fetch("/openapi.json", { signal });
  const document = (await response.json()) as {
    components: { schemas: Readonly<Record<string, JsonSchema>> };
  };
  const schema = document.components.schemas[name];
  if (!schema) throw new Error(`The service does not describe ${name}.`);
  return schema;
}
