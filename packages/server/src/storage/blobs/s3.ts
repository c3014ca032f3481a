import { Readable } from "node:stream";

import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { assertBlobKey, type BlobPart, type BlobSource, type BlobStore } from "./blob-store.ts";
import { type S3Answer, S3Requests, textOf } from "./s3-requests.ts";
import { parseS3Url } from "./s3-url.ts";

/** Suffix of every object name, so that stores over a file system can hold both `a` and `a/b`. */
const SUFFIX = ".blob";
/** Name of the test object. It collides with no key, because stored names end with the suffix. */
const PROBE = "probe";
/** A page of a list has at most a thousand names. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

/**
 * Stores blobs as objects of an S3 bucket, which must exist.
 * @throws Error when the bucket cannot be written, or anybody can read its objects.
 */
export async function openS3Blobs(url: string): Promise<BlobStore> {
  const address = parseS3Url(url);
  const requests = new S3Requests(address);
  const encryption: Record<string, string> =
    address.encryption === undefined ? {} : { "x-amz-server-side-encryption": address.encryption };

  const nameOf = (key: string): string => {
    assertBlobKey(key);
    return key + SUFFIX;
  };
  const write = (name: string, body: Uint8Array | BlobSource) =>
    requests.send({ method: "PUT", name, body, headers: encryption }, drain);

  const blobs: BlobStore = {
    costsPerRequest: true,
    put: async (key, bytes) => write(nameOf(key), bytes).catch(isAway),
    get: async (key) => requests.send({ method: "GET", name: nameOf(key) }, bytesOf).catch(isAway),
    read: async (key, part) =>
      requests.send({ method: "GET", name: nameOf(key), headers: rangeOf(part) }, streamOf).catch(isAway),
    delete: async (key) => requests.send({ method: "DELETE", name: nameOf(key) }, drain).catch(isAway),
    list(folder) {
      assertBlobKey(folder);
      return keysBelow(requests, address.prefix, folder);
    },
    ping: async () => write(PROBE, new Uint8Array()),
    close: () => requests.close(),
  };
  await blobs.ping();
  if (await requests.isPublic(PROBE)) {
    throw new Error("The S3 bucket of BLOBS_URL is public. Make it private: it holds pages of all teams.");
  }
  return blobs;
}

/** Reads the body to its end, so that the connection can be reused. */
async function drain({ body }: S3Answer): Promise<void> {
  if (!body.destroyed) await body.dump();
}

async function drained(answer: S3Answer): Promise<undefined> {
  await drain(answer);
}

async function bytesOf(answer: S3Answer): Promise<Uint8Array | undefined> {
  if (answer.statusCode === 404) return drained(answer);
  return new Uint8Array(await answer.body.arrayBuffer());
}

/** Reports every refusal of the store as an outage, because the client's request cannot have caused it. */
function isAway(failure: unknown): never {
  throw new PartAway("blobs", failure);
}

function rangeOf(part: BlobPart | undefined): Record<string, string> {
  return part ? { range: `bytes=${part.start}-${part.end}` } : {};
}

async function streamOf(answer: S3Answer): Promise<Readable | undefined> {
  if (answer.statusCode === 404) return drained(answer);
  if (answer.statusCode !== 416) return answer.body;
  // An empty object has no byte range to request.
  await drain(answer);
  return Readable.from([], { objectMode: false });
}

async function* keysBelow(requests: S3Requests, prefix: string, folder: string): AsyncIterable<string> {
  const below = `${prefix}${folder}/`;
  let token: string | undefined;
  do {
    const query = {
      "list-type": "2",
      prefix: below,
      ...(token !== undefined && { "continuation-token": token }),
    };
    const page = await requests.send({ method: "GET", name: "", query }, readPage);
    if (page.next !== undefined && page.next === token) throw new Error("The S3 store lists the same again.");
    for (const name of page.names) {
      if (name.startsWith(below) && name.endsWith(SUFFIX)) yield name.slice(prefix.length, -SUFFIX.length);
    }
    token = page.next;
  } while (token !== undefined);
}

/** Our names contain only characters that need no decoding. */
async function readPage(answer: S3Answer) {
  const text = await textOf(answer, MAX_LIST_BYTES);
  if (text === undefined) throw new Error("The S3 store has answered a list that is too long.");
  const names = [...text.matchAll(/<Key>([\w./-]+)<\/Key>/g)].map(([, name = ""]) => name);
  const isTruncated = /<IsTruncated>true<\/IsTruncated>/.test(text);
  const next = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(text)?.[1];
  return { names, next: isTruncated ? next?.replaceAll("&amp;", "&") : undefined };
}
