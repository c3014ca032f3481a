import type { Stages } from "@pergamon-dev/kit/stages";
import type { ReadDocument } from "@pergamon-dev/documents/model/reader";

export interface ReadingScrape {
  /** Teams never share work or its results. */
  readonly teamId: string;
  /** Deadline of the answer, in the time of `Date.now()`. */
  readonly deadlineMs: number;
  /** Whether late work may continue and be kept. False when the scrape must leave nothing behind. */
  readonly mayContinue: boolean;
  /** Records the time of OCR. */
  readonly stages?: Stages | undefined;
  /**
   * Called after the pages of a document are counted.
   * @throws to end the work, such as when credits are insufficient.
   */
  onPages(count: number): Promise<void>;
}

/** Keeps documents for a while that were ready after all callers had left. */
export interface DocumentResults {
  load(key: ResultKey): Promise<ReadDocument | undefined>;
  save(key: ResultKey, document: ReadDocument): Promise<void>;
}

export interface ResultKey {
  readonly teamId: string;
  /** Equal for the same bytes that are read with the same options. */
  readonly name: string;
}
