import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";

import { readDocuments } from "./documents.ts";
import type { StoredJob } from "./job-store.ts";
import { documentIn, type DocumentSource, textOf } from "./job-status.ts";

/** Rows of documents that are read from the database at once. */
const ROWS_AT_ONCE = 500;

interface MarkdownFile {
  readonly path: string;
  readonly text: string;
}

/** Yields the current documents of a job as JSON. Each is read when the consumer asks for it. */
export async function* eachDocument(
  { job, store }: StoredJob,
  records: DocumentSource,
): AsyncGenerator<string> {
  for (let skip = 0, hasMore = true; hasMore;) {
    const page = await readDocuments(store.database, job.id, { skip, limit: ROWS_AT_ONCE });
    for (const row of page.rows) yield textOf(row, records);
    hasMore = page.hasMore;
    skip = (page.rows.at(-1)?.position ?? skip) + 1;
  }
}

/** Documents as lines of JSON. Reading follows the consumer, so one document is in memory at a time. */
export function jsonLines(documents: AsyncIterable<string>, signal: AbortSignal): Readable {
  async function* lines() {
    for await (const text of documents) yield `${text}\n`;
  }
  return Readable.from(lines(), { objectMode: false, signal });
}

/**
 * The Markdown of the documents of a job as a ZIP archive. Reading follows the consumer, so two documents are
 * in memory at a time.
 */
export async function markdownArchive(
  found: StoredJob,
  records: DocumentSource,
  signal: AbortSignal,
): Promise<Readable> {
  const { default: yazl } = await import("yazl");
  const zip = new yazl.ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const files = markdownFiles(eachDocument(found, records));
  const end = (reason: unknown) =>
    output.destroy(reason instanceof Error ? reason : new Error(String(reason)));
  signal.addEventListener("abort", () => end(signal.reason), { once: true });
  zip.on("error", end);
  async function addNext(): Promise<void> {
    const next = await files.next();
    if (next.done) zip.end();
    else {
      const { path, text } = next.value;
      // Called when all files before it are written. The next document is read meanwhile.
      zip.addReadStreamLazy(path, (write) => {
        write(undefined, Readable.from([Buffer.from(text)]));
        if (!output.destroyed) addNext().catch(end);
      });
    }
  }
  await addNext();
  return output;
}

async function* markdownFiles(documents: AsyncIterable<string>): AsyncGenerator<MarkdownFile> {
  const paths = new DocumentPaths();
  let [position, leftOut] = [0, 0];
  for await (const document of documents) {
    const { markdown, metadata } = await documentIn(document);
    position += 1;
    if (typeof markdown === "string")
      yield { path: paths.pathOf(metadata.sourceURL, position), text: markdown };
    else leftOut += 1;
  }
  if (position === 0) yield { path: LEFT_OUT, text: "This job has no documents.\n" };
  if (leftOut > 0) yield { path: LEFT_OUT, text: leftOutText(leftOut, position) };
}

/** Name of the list of documents that were left out. No document can have it. */
const LEFT_OUT = "left-out.txt";

function leftOutText(count: number, all: number): string {
  return `${count} of ${all} documents have no Markdown. Request the format markdown, or download the job as JSON lines.\n`;
}

/** In characters. Some file systems do not accept longer names. */
const MAX_PART_LENGTH = 100;
const MAX_FOLDERS = 20;
const DIGEST_LENGTH = 8;
/** Device names of Windows, and names with a leading dot, which hide files. */
const RESERVED = /^(?:\.|(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i;

/** Assigns file names by host and path to the documents of a job, and each name only once. */
export class DocumentPaths {
  readonly #taken = new Set<string>();

  /**
   * Example: `https://a.example/docs/?page=2` → `a.example/docs/index_page_2.md`. Texts that are not URLs are
   * named after their position.
   * @returns a relative path of plain characters that cannot lead out of its folder.
   */
  pathOf(url: string | undefined, position: number): string {
    const wanted = url !== undefined && URL.canParse(url) ? partsOf(new URL(url)) : [`document-${position}`];
    const path = wanted.join("/");
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? `${path}.md` : `${path}-${number}.md`;
      // Some file systems ignore case.
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

function partsOf({ hostname, port, pathname, search }: URL): readonly string[] {
  const [name = "", ...folders] = pathname.split("/").slice(1).toReversed();
  const host = port === "" ? hostname : `${hostname}_${port}`;
  // A folder whose name ends in `.md` could clash with a file of the same name.
  const above = folders.toReversed().map((folder) => partOf(folder.replace(/\.md$/i, "_md")));
  const file = partOf(`${name === "" ? "index" : name}${search}`);
  if (above.length <= MAX_FOLDERS) return [partOf(host), ...above, file];
  return [partOf(host), ...above.slice(0, MAX_FOLDERS), digestOf(above.join("/")), file];
}

/** One part of a path, without characters that file systems interpret. */
function partOf(text: string): string {
  const plain = text.replace(/[^\w.%~-]+/g, "_").replace(/\.+$/, "_") || "_";
  const safe = RESERVED.test(plain) ? `_${plain}` : plain;
  if (safe.length <= MAX_PART_LENGTH) return safe;
  return `${safe.slice(0, MAX_PART_LENGTH - DIGEST_LENGTH - 1)}-${digestOf(text)}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}
