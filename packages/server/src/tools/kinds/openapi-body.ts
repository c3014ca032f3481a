import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Options } from "../catalogue/capability.ts";
import type { Body } from "../openapi/body.ts";
import { listOf, objectOf, textOf as textIn } from "@pergamon-dev/kit/json";
import { optionText } from "./segment.ts";

interface EncodedBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** The body of a request, in the words that the document wants. Undefined when no option belongs to it. */
export async function encodeBody(body: Body, options: Options): Promise<EncodedBody | undefined> {
  const { type, contentType, members, isRequired } = body;
  const value = members ? membersOf(members, options) : ownProperty(options, "body");
  if (value === undefined || (!isRequired && members && Object.keys(value as object).length === 0))
    return undefined;
  if (type === "json") return { contentType, content: JSON.stringify(value) };
  if (type === "multipart") return encodeParts(objectOf(value), body.files);
  const pairs = Object.entries(objectOf(value)).map(([name, entry]): [string, string] => [
    name,
    optionText(entry),
  ]);
  return { contentType, content: new URLSearchParams(pairs).toString() };
}

function membersOf(names: readonly string[], options: Options): object {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(options, name)).map((name) => [name, ownProperty(options, name)]),
  );
}

/** Lists are parts of one name; what is neither text nor a file is JSON (OpenAPI 3.1, section 4.8.14.4). */
async function encodeParts(
  members: Readonly<Record<string, unknown>>,
  files: ReadonlySet<string>,
): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) {
    for (const entry of Array.isArray(value) ? listOf(value) : [value]) {
      if (files.has(name)) appendFile(form, name, objectOf(entry));
      else if (typeof entry === "object" && entry !== null) {
        form.append(name, new Blob([JSON.stringify(entry)], { type: "application/json" }));
      } else form.append(name, optionText(entry));
    }
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "";
  return { contentType, content: new Uint8Array(await encoded.arrayBuffer()) };
}

function appendFile(form: FormData, name: string, file: Readonly<Record<string, unknown>>): void {
  const bytes = Buffer.from(textIn(file["base64"]) ?? "", "base64");
  const type = textIn(file["type"]) ?? "application/octet-stream";
  form.append(name, new Blob([bytes], { type }), textIn(file["name"]) ?? name);
}
