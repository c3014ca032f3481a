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
 * The program of a process that reads documents: answers one question after the other until its parent is gone.
 * @param folder - made for this process, and removed when the service has not lived to do it
 * @param tesseractPath - the program that the operator has named, if any
 */
async function run(folder: string, tesseractPath?: string): Promise<void> {
  const gone = new AbortController();
  const end = () => {
    gone.abort(new Error("The service has ended."));
    process.exit();
  };
  process.on("exit", () => empty(folder));
  process.on("disconnect", end);
  // It may have ended while this program was loaded.
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

/** In a box the folder itself stays, until what waits outside for the end of the service removes it. */
function empty(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is the place of a mount.
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
