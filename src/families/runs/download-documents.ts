import { PassThrough, Readable } from "node:stream";

import { readDocuments } from "../../job-runs/documents.ts";
import type { PlacedRun } from "../../job-runs/run-place.ts";
import { DocumentPaths } from "./document-path.ts";
import { documentIn, type DocumentSource, textOf } from "./run-status.ts";

/** Names of documents that are read from the database at once. */
const ROWS_AT_ONCE = 500;

interface MarkdownFile {
  readonly path: string;
  readonly text: string;
}

/** The documents of a run that are there now, as JSON, each read when it is asked for. */
async function* eachDocument({ run, place }: PlacedRun, records: DocumentSource): AsyncGenerator<string> {
  for (let skip = 0, hasMore = true; hasMore;) {
    const page = await readDocuments(place.database, run.id, { skip, limit: ROWS_AT_ONCE });
    for (const row of page.rows) yield textOf(row, records);
    hasMore = page.hasMore;
    skip = (page.rows.at(-1)?.position ?? skip) + 1;
  }
}

/** The documents of a run as lines of JSON. One at a time is in memory, as fast as they are read. */
export function jsonLines(found: PlacedRun, records: DocumentSource, signal: AbortSignal): Readable {
  async function* lines() {
    for await (const text of eachDocument(found, records)) yield `${text}\n`;
  }
  return Readable.from(lines(), { objectMode: false, signal });
}

/** The Markdown of the documents of a run as a ZIP archive. Two at a time are in memory, as fast as they are read. */
export async function markdownArchive(
  found: PlacedRun,
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
      // Called when all files before it are written. The next one is read meanwhile.
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
    const { markdown, metadata } = documentIn(document);
    position += 1;
    if (typeof markdown === "string")
      yield { path: paths.pathOf(metadata.sourceURL, position), text: markdown };
    else leftOut += 1;
  }
  if (position === 0) yield { path: LEFT_OUT, text: "This job has no documents.\n" };
  if (leftOut > 0) yield { path: LEFT_OUT, text: leftOutText(leftOut, position) };
}

/** Not a name that a document can have. */
const LEFT_OUT = "left-out.txt";

function leftOutText(count: number, all: number): string {
  return `${count} of ${all} documents have no Markdown. Request the format markdown, or download the job as JSON lines.\n`;
}
