import type { Stages } from "@pergamon-dev/kit/stages";
import type { OcrEngine } from "./ocr/ocr-engine.ts";

/** What a process tells of its OCR: that a picture's turn has begun, or what came of it. */
export type OcrNews =
  | { readonly isRunning: true }
  | { readonly isRunning: false; readonly engine: string; readonly problem?: string };

/** The engine, which tells of each picture. */
export function toldOf(engine: OcrEngine, tell: (news: OcrNews) => void): OcrEngine {
  return {
    name: engine.name,
    languages: () => engine.languages(),
    close: () => engine.close(),
    async recognise(picture, languages, signal) {
      tell({ isRunning: true });
      const news = { isRunning: false, engine: engine.name } as const;
      try {
        const words = await engine.recognise(picture, languages, signal);
        tell(news);
        return words;
      } catch (failure) {
        tell({ ...news, problem: firstLine(failure) });
        throw failure;
      }
    },
  };
}

function firstLine(failure: unknown): string {
  return (failure instanceof Error ? failure.message : String(failure)).split("\n", 1)[0] ?? "";
}

/** The OCR of one file as a stage of all scrapes that wait for it. */
export class OcrStages {
  #isRunning = false;
  readonly #ends = new Map<Stages, () => void>();

  add(stages: Stages): void {
    this.#ends.set(stages, this.#isRunning ? stages.begin("ocr") : noStage);
  }

  /** That scrape does not wait any more. */
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
