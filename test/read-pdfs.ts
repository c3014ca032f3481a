import { DocumentError } from "../packages/documents/src/errors.ts";
import { READING_CODE } from "../packages/documents/src/start-reading.ts";
import { openReaders } from "../packages/server/src/sandbox/readers/readers.ts";
import { type ProcessPool, openProcessPool } from "../packages/documents/src/pool.ts";
import { textPage, writePdf } from "./pdf-writer.ts";

/** What came of reading files that nobody should have to read. */
export interface HostileReport {
  readonly texts: number;
  readonly refusals: number;
  /** Processes that did not survive a file. */
  readonly crashes: number;
  readonly slowestMs: number;
  /** What must not happen, in words. */
  readonly problems: readonly string[];
}

const OPTIONS = { mode: "fast", maxPages: undefined, pageMarkers: false, languages: [] } as const;
const DEADLINE_MS = 30_000;
const GOOD = writePdf({ pages: [textPage("A good file among the others.")] });

/** Reads each file by a process. Each has to become text or a refusal in time, and a good file has to be read after all. */
export async function readPdfs(files: Readonly<Record<string, Uint8Array>>): Promise<HostileReport> {
  let crashes = 0;
  const pool = openProcessPool({
    maxProcesses: 1,
    processes: openReaders({ code: READING_CODE, hidden: [] }),
    pathVariable: "",
    onCrash: () => (crashes += 1),
  });
  const problems: string[] = [];
  const results: { readonly isText: boolean; readonly tookMs: number }[] = [];
  for (const [name, bytes] of Object.entries(files)) {
    const startMs = performance.now();
    const failure = await failureOf(pool, bytes);
    results.push({ isText: failure === undefined, tookMs: performance.now() - startMs });
    if (failure && !(failure instanceof DocumentError)) problems.push(`${name}: ${wordsOf(failure)}`);
  }
  const last = await failureOf(pool, GOOD);
  if (last) problems.push(`a good file is not read any more: ${wordsOf(last)}`);
  await pool.close();
  const texts = results.filter(({ isText }) => isText).length;
  const slowestMs = Math.max(...results.map(({ tookMs }) => tookMs));
  return { texts, refusals: results.length - texts, crashes, slowestMs, problems };
}

async function failureOf(pool: ProcessPool, bytes: Uint8Array): Promise<unknown> {
  const order = { bytes, options: OPTIONS, from: 1, maxPages: 50, maxMs: DEADLINE_MS / 3 };
  return pool.run({ work: "readPdf", order }, AbortSignal.timeout(DEADLINE_MS)).then(
    () => undefined,
    (failure: unknown) => failure,
  );
}

function wordsOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : "thrown as no error";
}
