import { rmSync } from "node:fs";

import { lazy } from "@pergamon-dev/kit/lazy";
import { type ReadingAnswer, answerOfFailure, type ReadingMessage, type Question } from "./messages.ts";
import { findOcrEngine } from "./ocr/find.ts";
import { toldOf } from "./ocr-watch.ts";
import { openPdfReader } from "./pdfium/reader.ts";
import { endWithParent } from "./watch-parent.ts";
import type { Work, WorkTools } from "./work.ts";
import { works } from "./works.ts";

/**
 * Main program of a reader process: answers one question after the other until its parent is gone.
 * @param folder - this process's own folder, removed when the process ends
 * @param tesseractPath - the program that the operator has configured, if any
 */
async function run(folder: string, tesseractPath?: string): Promise<void> {
  const gone = new AbortController();
  const end = () => {
    gone.abort(new Error("The service has ended."));
    process.exit();
  };
  process.on("exit", () => empty(folder));
  process.on("disconnect", end);
  // The parent may have ended while this program was loading.
  if (!process.connected) end();
  endWithParent(folder);
  const tools: WorkTools = {
    pdf: await openPdfReader(),
    ocr: lazy(async () => {
      const engine = await findOcrEngine(folder, tesseractPath);
      return engine && toldOf(engine, (news) => say({ kind: "ocr", news }));
    }),
    signal: gone.signal,
  };
  process.on("message", (question: Question) => void answer(question, tools).then(say));
  say({ kind: "ready" });
}

/**
 * In a sandbox the folder itself stays. The process outside that waits for the end of the service removes it.
 */
function empty(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The folder is a mount point.
  }
}

async function answer({ work, order }: Question, tools: WorkTools): Promise<ReadingAnswer> {
  try {
    const result = await (works[work] as Work)(order as never, tools);
    return { kind: "done", result, rssBytes: process.memoryUsage.rss() };
  } catch (failure) {
    return answerOfFailure(failure, process.memoryUsage.rss());
  }
}

function say(message: ReadingMessage): void {
  process.send?.(message);
}

const [, , folder, tesseractPath] = process.argv;
if (folder === undefined) throw new Error("Name the folder of this process.");
await run(folder, tesseractPath);
