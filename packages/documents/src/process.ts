import { rmSync } from "node:fs";
import { lazy } from "@pergamon-dev/kit/lazy";
import { answerOfFailure, type Question, type ReadingAnswer, type ReadingMessage } from "./messages.ts";
import { findOcrEngine } from "./ocr/find.ts";
import { toldOf } from "./ocr-watch.ts";
import { openPdfReader } from "./pdfium/reader.ts";
import type { Work, WorkTools } from "./work.ts";
import { works } from "./works.ts";
import { Worker } from "node:worker_threads";

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

/** Runs in a separate thread, as a file may block the main thread. */
const WATCH = `
  const { rmSync } = require("node:fs");
  const { workerData: folder } = require("node:worker_threads");
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent) return;
    rmSync(folder, { recursive: true, force: true });
    process.kill(-process.pid, "SIGKILL");
  }, 1000);
`;

/**
 * Kills this process, which leads a group, with all its children once its parent has ended, even in the
 * middle of work.
 * @param folder - this process's own folder, removed with it
 */
function endWithParent(folder: string): void {
  const options = { eval: true, workerData: folder, resourceLimits: { maxOldGenerationSizeMb: 8 } };
  new Worker(WATCH, options).unref();
}
