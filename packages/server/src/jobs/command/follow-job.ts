import type { JobNews } from "../follow-job.ts";
import { documentIn } from "../job-status.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import { deliver } from "../../scrape/command/deliver.ts";
import { SiteFolder } from "../../scrape/command/site-folder.ts";
import { explainFailure } from "../../cli/explain-failure.ts";
import type { Runner } from "../../cli/program.ts";
import { counted, progressLine } from "../../cli/progress-line.ts";

interface JobOutput {
  /** Name of the command: `batch`. */
  readonly command: string;
  /** Folder for the results. Undefined: each document is printed as one line of JSON. */
  readonly folder: string | undefined;
  /** Formats of the request. Empty when they are not known any more. */
  readonly formats: readonly string[];
  /** Whether pages that answered with an error get a file. */
  readonly keepErrors: boolean | undefined;
}

/** Exit code that shells use after SIGINT. */
const INTERRUPTED = 130;

/** Works on a job until it has ended. Ctrl-C leaves it unfinished, so that it can be continued later. */
export async function followJob(runner: Runner, id: string, output: JobOutput): Promise<void> {
  const progress = runProgress(output.command);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  process.stdout.once("error", interrupt);
  const folder = output.folder === undefined ? undefined : new SiteFolder(output.folder, output.keepErrors);
  const failures = new Failures(runner, id, { progress, folder });
  let last: JobNews["job"] | undefined;
  try {
    const hand = openHand(runner, output, { progress, folder });
    for await (const { job, texts } of runner.follow(id, stop.signal)) {
      last = job;
      progress.note(job);
      for (const text of texts) await hand(text);
      await failures.tellNew(job);
    }
  } finally {
    process.off("SIGINT", interrupt);
    process.stdout.off("error", interrupt);
    progress.end();
    await folder?.end();
  }
  const summary = folder?.summary();
  if (summary !== undefined) progress.tell(summary);
  failures.tellRest();
  if (failures.denial !== undefined) process.exitCode = 1;
  // What refused the start is told already.
  const warnings = last?.warnings.filter((warning) => warning !== failures.denial) ?? [];
  for (const warning of warnings) progress.tell(warning);
  if (last) tellEnd(last, output, progress);
}

interface Told {
  readonly progress: RunProgress;
  readonly folder: SiteFolder | undefined;
}

/** Failures that are told one by one. */
const MAX_TOLD = 20;

/** Tells failures of a job on standard error as they come. */
class Failures {
  readonly #runner: Runner;
  readonly #id: string;
  readonly #told: Told;
  #seen = 0;
  #denial: string | undefined;

  constructor(runner: Runner, id: string, told: Told) {
    this.#runner = runner;
    this.#id = id;
    this.#told = told;
  }

  /** Why the start of a crawl was refused, if it was. */
  get denial(): string | undefined {
    return this.#denial;
  }

  async tellNew({ failed, state }: JobNews["job"]): Promise<void> {
    if (failed <= this.#seen && state === "scraping") return;
    const { errors, robotsBlocked } = await this.#runner.errors(this.#id, this.#seen);
    for (const { url, error, code } of errors) {
      if (code === "CRAWL_DENIAL") this.#denial = error;
      this.#tell({ url, error, code });
    }
    for (const url of robotsBlocked) this.#tell({ url, error: "robots.txt forbids the visit." });
  }

  tellRest(): void {
    if (this.#seen > MAX_TOLD) this.#told.progress.tell(`${this.#seen - MAX_TOLD} more were not made.`);
  }

  #tell(failure: { readonly url: string; readonly error: string; readonly code?: string | undefined }): void {
    this.#seen += 1;
    this.#told.folder?.note(failure);
    if (this.#seen <= MAX_TOLD) this.#told.progress.tell(`${failure.url}: ${failure.error}`);
  }
}

/** @returns the function that hands over one document. */
function openHand(
  runner: Runner,
  { formats }: JobOutput,
  { progress, folder }: Told,
): (text: string) => Promise<void> {
  if (folder === undefined) return async (text) => progress.print(`${text}\n`);
  const delivery = {
    formats,
    asJson: false,
    isSeveral: true,
    openFile: (link: string) => runner.openFile(link),
    print: progress.print,
    tell: () => undefined,
  };
  return async (text) => {
    const data = await documentIn(text);
    const address = addressOf(data);
    await folder
      .write(data, (destination) => deliver(address, data, { ...delivery, destination }))
      .catch((failure: unknown) => progress.tell(`${address}: ${explainFailure(failure)}`));
  };
}

function addressOf({ metadata }: ScrapeData): string {
  return ("sourceURL" in metadata ? metadata.sourceURL : undefined) ?? "document";
}

function tellEnd(job: JobNews["job"], { command, folder }: JobOutput, progress: RunProgress): void {
  const { id, state, completed, failed, total, creditsUsed } = job;
  if (state === "scraping") {
    const rest = folder === undefined ? "" : ` -o ${folder}`;
    progress.tell(
      `Stopped at ${completed + failed} of ${total}. Continue: npx pergamon ${command} --resume ${id}${rest}`,
    );
    process.exitCode = INTERRUPTED;
    return;
  }
  const failures = failed > 0 ? `, ${failed} failed` : "";
  const made = `${counted(completed, "page")}${failures}, ${counted(creditsUsed, "credit")}`;
  progress.tell(`${made}, ${state}.`);
  if (failed > 0 || state !== "completed") process.exitCode = 1;
}

/** One line on standard error that shows the progress of a job, when standard error is a terminal. */
interface RunProgress {
  note(job: JobNews["job"]): void;
  /** Writes to standard output and clears the progress line first. */
  print(text: string): void;
  tell(sentence: string): void;
  end(): void;
}

/** @param title for example `Batch` */
function runProgress(title: string): RunProgress {
  const line = progressLine();
  const startMs = Date.now();
  let [atStart, latest] = [undefined as number | undefined, undefined as JobNews["job"] | undefined];
  const show = () => {
    if (latest) line.show(`${title}: ${stateOf(latest, atStart ?? 0, (Date.now() - startMs) / 1000)}`);
  };
  const write = (stream: NodeJS.WriteStream, text: string) => {
    line.end();
    stream.write(text);
  };
  const timer = setInterval(show, 1000);
  return {
    note(job) {
      latest = job;
      atStart ??= job.completed + job.failed;
      show();
    },
    print: (text) => write(process.stdout, text),
    tell: (sentence) => write(process.stderr, `${sentence}\n`),
    end() {
      clearInterval(timer);
      line.end();
    },
  };
}

/** @returns counts of done, found and failed pages, the rate, and the time that is left. */
function stateOf({ completed, failed, total }: JobNews["job"], atStart: number, seconds: number): string {
  const done = completed + failed;
  const perSecond = seconds > 0 ? (done - atStart) / seconds : 0;
  const failures = failed > 0 ? `, ${failed} failed` : "";
  const rate =
    perSecond > 0 ? `, ${perSecond.toFixed(1)} pages/s, ${leftOf((total - done) / perSecond)} left` : "";
  return `${done} of ${total}${failures}${rate}`;
}

function leftOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
