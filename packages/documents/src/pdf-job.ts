import type { PdfOptions, ReadDocument } from "./model/reader.ts";
import { OcrStages } from "./ocr-watch.ts";
import type { PdfProgress } from "./pdf-progress.ts";
import type { DocumentPool } from "./pool.ts";
import { readWholePdf } from "./whole-pdf.ts";

/** What is read, and for whom. */
export interface PdfJobSource {
  readonly body: Uint8Array;
  readonly options: PdfOptions;
  /** Called once, when the pages are counted. @throws to end the work, such as when they cannot be paid. */
  onPages(count: number): Promise<void>;
}

/** The reading of one file, for all who wait for it. */
export class PdfJob {
  readonly document: Promise<ReadDocument>;
  /** In the time of `performance.now()`. */
  readonly startMs = performance.now();
  /** In the background no caller waits for it: it continues, after the work of others. */
  isBackground = false;
  /** Requests that wait for it now. */
  waiting = 0;
  lastAskedMs = Date.now();
  readonly ocr = new OcrStages();
  #progress: PdfProgress | undefined;
  #hasProgress: () => void = () => undefined;
  readonly #controller = new AbortController();
  /** Settles as soon as the size of the work can be judged. */
  readonly judged: Promise<void>;

  constructor(source: PdfJobSource, pool: DocumentPool) {
    const judged = new Promise<void>((resolve) => (this.#hasProgress = resolve));
    this.document = this.#read(source, pool);
    this.document.catch(() => undefined);
    this.judged = Promise.race([
      judged,
      this.document.then(
        () => undefined,
        () => undefined,
      ),
    ]);
  }

  /** Undefined until a part of it is done. */
  get progress(): PdfProgress | undefined {
    return this.#progress;
  }

  /** Ends the work. */
  end(reason: Error): void {
    this.#controller.abort(reason);
  }

  #read({ body, options, onPages }: PdfJobSource, pool: DocumentPool): Promise<ReadDocument> {
    const onProgress = async (progress: PdfProgress) => {
      if (!this.#progress) await onPages(progress.pages);
      this.#progress = progress;
      this.#hasProgress();
    };
    const isBackground = () => this.isBackground;
    const task = { body, options, isBackground, onProgress, onOcr: this.ocr.note };
    return readWholePdf(task, pool, this.#controller.signal);
  }
}
