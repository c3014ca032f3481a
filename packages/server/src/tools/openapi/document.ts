import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { Worker } from "node:worker_threads";
import { programFile } from "@pergamon-dev/kit/process/program-file";

const PROGRAM = { bundle: "yaml-worker.js", loader: "yaml-source.mjs" };

/** A document of 10 MB takes about 15 seconds and as much memory. */
const LIMIT_MS = 25_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 512, stackSizeMb: 8 } as const;

/** Larger documents are refused. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** Copying this many values out of the thread blocks the main thread for about 150 ms. */
const BOUNDS = { maxBytes: 4 * MAX_DOCUMENT_BYTES, maxValues: 500_000 } as const;

/** Maximum length of a chain of references. */
const MAX_HOPS = 20;

/** An operation cannot be called; the message says why. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/**
 * Parses JSON or YAML, large documents in the thread.
 * @throws Error when it is not an OpenAPI document of version 3; the signal's reason.
 */
export async function parseDocument(
  bytes: Uint8Array,
  thread: ForeignThread,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (bytes.byteLength > MAX_DOCUMENT_BYTES) {
    throw new Error(`The document is larger than ${MAX_DOCUMENT_BYTES} bytes.`);
  }
  const text = Buffer.from(bytes).toString("utf8");
  const document = await parse(text.replace(/^\uFEFF/, ""), thread, signal);
  const version = isJsonObject(document) ? document["openapi"] : undefined;
  if (!isJsonObject(document) || typeof version !== "string" || !version.startsWith("3.")) {
    throw new Error("The document is not an OpenAPI 3 document.");
  }
  return document;
}

/** A text that starts like JSON is parsed as JSON, even though YAML allows braces too. */
async function parse(text: string, thread: ForeignThread, signal: AbortSignal): Promise<unknown> {
  const isJson = /^\s*[[{"]/.test(text);
  try {
    const json = isJson ? text : await yamlToJson(text, signal);
    recordWork("provider");
    return await thread.parse(json, BOUNDS, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error(`The document ${problemOf(cause, isJson)}`, { cause });
  }
}

function problemOf(cause: unknown, isJson: boolean): string {
  if (cause instanceof ForeignJsonError && cause.kind === "too-large") return `${cause.message}.`;
  const isTold = !isJson && cause instanceof Error;
  return `is not valid ${isJson ? "JSON" : "YAML"}${isTold ? `: ${firstLine(cause.message)}` : "."}`;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 200);
}

/** Follows a chain of references to its target. @throws Unusable. */
export function resolveReference(node: unknown, document: JsonObject): unknown {
  let found = node;
  for (let hops = 0; isJsonObject(found) && typeof found["$ref"] === "string"; hops += 1) {
    if (hops === MAX_HOPS) throw new Unusable("its references are circular");
    found = lookUp(found["$ref"], document);
  }
  return found;
}

/** @param reference a JSON pointer into the same document. @throws Unusable. */
export function lookUp(reference: string, document: JsonObject): unknown {
  if (reference === "#") return document;
  if (!reference.startsWith("#/")) throw new Unusable(`it refers to another document, ${shorten(reference)}`);
  let found: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    const name = decode(part);
    if (Array.isArray(found))
      found = /^\d+$/.test(name) ? (found as readonly unknown[])[Number(name)] : undefined;
    else found = isJsonObject(found) ? ownProperty(found, name) : undefined;
  }
  if (found === undefined) throw new Unusable(`it refers to ${shorten(reference)}, which does not exist`);
  return found;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

/**
 * Converts YAML to JSON in a thread of its own, which the signal ends, so that other work does not wait.
 * @throws Error when the text is not YAML or takes too long; the signal's reason.
 */
async function yamlToJson(text: string, signal: AbortSignal): Promise<string> {
  const program = programFile(import.meta.url, PROGRAM);
  const worker = new Worker(program.path, {
    workerData: text,
    resourceLimits: THREAD_LIMITS,
    env: {},
    argv: [],
    execArgv: [...program.execArgv],
  });
  const stop = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.on("message", (json: unknown) =>
        typeof json === "string" ? resolve(json) : reject(new Error("The document is empty.")),
      );
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("The YAML reader ended.")));
      stop.addEventListener("abort", () => reject(stop.reason as Error), { once: true });
      stop.throwIfAborted();
    });
  } finally {
    await worker.terminate();
  }
}
