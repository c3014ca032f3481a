import type { OcrEngine } from "./ocr/ocr-engine.ts";

/** Sent by a process for each picture: OCR has begun, or its result. */
export type OcrNews =
  | { readonly isRunning: true }
  | { readonly isRunning: false; readonly engine: string; readonly problem?: string };

/** Wraps the engine so that it reports each picture. */
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
