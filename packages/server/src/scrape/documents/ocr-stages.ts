import type { Stages } from "@pergamon-dev/kit/stages";

/** Records the OCR of one file as a stage of all scrapes that wait for it. */
export class OcrStages {
  #isRunning = false;
  readonly #ends = new Map<Stages, () => void>();

  add(stages: Stages): void {
    this.#ends.set(stages, this.#isRunning ? stages.begin("ocr") : noStage);
  }

  /** Removes a scrape that no longer waits. */
  remove(stages: Stages): void {
    this.#ends.get(stages)?.();
    this.#ends.delete(stages);
  }

  readonly note = (isRunning: boolean): void => {
    this.#isRunning = isRunning;
    for (const [stages, end] of this.#ends) {
      end();
      this.#ends.set(stages, isRunning ? stages.begin("ocr") : noStage);
    }
  };
}

function noStage(): void {}
