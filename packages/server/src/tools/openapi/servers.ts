import { ownProperty } from "@pergamon-dev/kit/own-property";
import { Unusable } from "./document.ts";
import { type JsonObject, listOf, objectOf, textOf } from "@pergamon-dev/kit/json";

/**
 * The server of an operation: the nearest one that the document names, with the defaults of its variables.
 * @param holders the operation, its path and the document, in this order.
 * @param documentUrl base of relative URLs; undefined for a file.
 * @throws Unusable when there is none.
 */
export function readServer(holders: readonly JsonObject[], documentUrl: string | undefined): string {
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
