import { lazy } from "../kit/lazy.ts";
import { type Answer, answerOfFailure, type Message, type Question } from "./messages.ts";
import { findOcrEngine } from "./ocr/find.ts";
import { openPdfReader } from "./pdfium/reader.ts";
import { endWithParent } from "./watch-parent.ts";
import type { Work, WorkTools } from "./work.ts";
import { works } from "./works.ts";

/**
 * The program of a process that reads documents: answers one question after the other until nobody is there to ask.
 * @param tesseractPath - the program that the operator has named, if any
 */
async function run(tesseractPath?: string): Promise<void> {
  endWithParent();
  const gone = new AbortController();
  process.on("disconnect", () => {
    gone.abort(new Error("The service has ended."));
    process.exit();
  });
  const tools: WorkTools = {
    pdf: await openPdfReader(),
    ocr: lazy(() => findOcrEngine(tesseractPath)),
    signal: gone.signal,
  };
  process.on("message", (question: Question) => void answer(question, tools).then(say));
  say({ kind: "ready" });
}

async function answer({ work, order }: Question, tools: WorkTools): Promise<Answer> {
  try {
    const result = await (works[work] as Work)(order as never, tools);
    return { kind: "done", result, rssBytes: process.memoryUsage.rss() };
  } catch (failure) {
    return answerOfFailure(failure, process.memoryUsage.rss());
  }
}

function say(message: Message): void {
  process.send?.(message);
}

await run(process.argv[2]);
