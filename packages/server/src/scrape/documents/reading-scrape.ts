import type { Stages } from "@pergamon-dev/kit/stages";
import type { ReadDocument } from "@pergamon-dev/documents/model/reader";

/** The scrape that documents are read for. */
export interface ReadingScrape {
  /** Teams never share work, nor its results. */
  readonly teamId: string;
  /** When the answer has to be there, as `Date.now()` tells it. */
  readonly deadlineMs: number;
  /** Whether work that is not done in time may continue and be kept; false when nothing of the scrape may stay. */
  readonly mayContinue: boolean;
  /** Where OCR is measured. */
  readonly stages?: Stages | undefined;
  /** Called when the pages of a document are counted. @throws to end the work, such as when they cannot be paid. */
  onPages(count: number): Promise<void>;
}

/** Keeps documents for a while that were ready after everybody had gone. */
export interface DocumentResults {
  load(key: ResultKey): Promise<ReadDocument | undefined>;
  save(key: ResultKey, document: ReadDocument): Promise<void>;
}

export interface ResultKey {
  readonly teamId: string;
  /** Of what was read, and how. */
  readonly name: string;
}
