import { progressLine } from "../../cli/progress-line.ts";

/** Tells people on standard error how far a run is, and keeps what is printed clear of that line. */
export interface ScrapeProgress {
  /** Prints to standard output. */
  print(text: string): void;
  /** Writes a sentence to standard error. */
  tell(sentence: string): void;
  countEnd(hasFailed: boolean): void;
  readonly failed: number;
  end(): void;
}

export function scrapeProgress(urls: readonly string[]): ScrapeProgress {
  const line = progressLine();
  const startMs = Date.now();
  let [ended, failed] = [0, 0];
  const show = () => line.show(`${stateOf(urls, ended, failed)}, ${secondsSince(startMs)} s`);
  const write = (stream: NodeJS.WriteStream, text: string) => {
    line.end();
    stream.write(text);
  };
  show();
  const timer = setInterval(show, 1000);
  return {
    print: (text) => write(process.stdout, text),
    tell: (sentence) => write(process.stderr, `${sentence}\n`),
    countEnd(hasFailed) {
      ended += 1;
      if (hasFailed) failed += 1;
      show();
    },
    get failed() {
      return failed;
    },
    end() {
      clearInterval(timer);
      line.end();
    },
  };
}

function stateOf(urls: readonly string[], ended: number, failed: number): string {
  if (urls.length === 1) return `Scraping ${urls[0]}`;
  const failures = failed > 0 ? `, ${failed} failed` : "";
  return `Scraped ${ended} of ${urls.length}${failures}`;
}

function secondsSince(startMs: number): number {
  return Math.round((Date.now() - startMs) / 1000);
}
