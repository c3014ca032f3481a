import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { createWorker, OEM, PSM, type Worker } from "tesseract.js";

import { Gate } from "@pergamon-dev/kit/gate";
import { chooseLanguages } from "./languages.ts";
import type { OcrEngine, OcrPicture, OcrWord } from "./ocr-engine.ts";
import { portableGreyMap } from "./portable-grey-map.ts";
import { readUpright } from "./upright.ts";

/** Each language's data is a package of its own. English is always installed and locates the folder. */
const ENGLISH_DATA = "@tesseract.js-data/eng/package.json";
/** Integer models for the LSTM recogniser. */
const DATA_FOLDER = "4.0.0_best_int";
const DATA_ENDING = ".traineddata.gz";

/** A worker holds about 350 MB, and takes a second to start. */
const IDLE_MS = 60_000;

export function openTesseractJs(temporaryFolder = tmpdir()): OcrEngine {
  const { resolve } = createRequire(import.meta.url);
  return new TesseractJs({ data: dirname(dirname(resolve(ENGLISH_DATA))), temporary: temporaryFolder });
}

/** Tesseract as WebAssembly, in a thread of this process, which reads one picture after the other. */
/** Where the data of languages lies, and where files may be for a moment. */
interface Folders {
  readonly data: string;
  readonly temporary: string;
}

class TesseractJs implements OcrEngine {
  readonly name = "tesseract.js 7";
  readonly #folders: Folders;
  readonly #gate = new Gate(1);
  #worker: { readonly codes: string; readonly opened: Promise<Worker> } | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  async languages(): Promise<readonly string[]> {
    return readdir(this.#folders.data);
  }

  async recognise(
    picture: OcrPicture,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly OcrWord[]> {
    const codes = chooseLanguages(languages, await this.languages());
    return readUpright(picture, (upright) =>
      this.#gate.run(() => this.#read(upright, codes, signal), signal),
    );
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.opened.then((opened) => opened.terminate()).catch(() => undefined);
  }

  /** A running recognition cannot be cancelled, so aborting terminates the worker. */
  async #read(
    picture: OcrPicture,
    codes: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly OcrWord[]> {
    clearTimeout(this.#idle);
    const worker = await this.#workerFor(codes);
    try {
      return await unlessAborted(readBy(worker, picture), signal);
    } catch (failure) {
      await this.close();
      throw failure;
    } finally {
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  async #workerFor(codes: readonly string[]): Promise<Worker> {
    const key = codes.join("+");
    if (this.#worker && this.#worker.codes !== key) await this.close();
    this.#worker ??= { codes: key, opened: openWorker(this.#folders, codes) };
    return this.#worker.opened;
  }
}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

/** Nothing is downloaded or cached: the worker reads its languages' data from their packages. */
async function openWorker(
  { data: dataFolder, temporary }: Folders,
  codes: readonly string[],
): Promise<Worker> {
  const [only, ...others] = codes;
  if (only !== undefined && others.length === 0)
    return startWorker(codes, join(dataFolder, only, DATA_FOLDER));
  // The worker looks for all languages in one folder, and needs it only until it has started.
  const together = await mkdtemp(join(temporary, "pergamon-ocr-"));
  try {
    for (const code of codes)
      await copyFile(dataFile(dataFolder, code), join(together, `${code}${DATA_ENDING}`));
    return await startWorker(codes, together);
  } finally {
    await rm(together, { recursive: true, force: true });
  }
}

function dataFile(dataFolder: string, code: string): string {
  return join(dataFolder, code, DATA_FOLDER, `${code}${DATA_ENDING}`);
}

function startWorker(codes: readonly string[], langPath: string): Promise<Worker> {
  return new Promise((resolve, reject) => {
    // Damaged data is reported only to this handler.
    const errorHandler = (reason: unknown) => reject(new Error(`tesseract.js: ${String(reason)}`));
    createWorker([...codes], OEM.LSTM_ONLY, { langPath, cacheMethod: "none", errorHandler }).then(
      resolve,
      reject,
    );
  });
}

async function readBy(worker: Worker, picture: OcrPicture): Promise<readonly OcrWord[]> {
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO, user_defined_dpi: String(picture.dpi) });
  const { data } = await worker.recognize(portableGreyMap(picture), {}, { blocks: true, text: false });
  const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs).flatMap(({ lines: own }) => own);
  return lines.flatMap(({ words }, line) =>
    words
      .filter(({ text }) => text.trim() !== "")
      .map(({ text, bbox, confidence }) => ({
        text: text.trim(),
        ...bbox,
        confidence: Math.min(1, Math.max(0, confidence / 100)),
        line,
      })),
  );
}
