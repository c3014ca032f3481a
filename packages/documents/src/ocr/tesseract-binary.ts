import { spawn } from "node:child_process";

import { Gate } from "@pergamon-dev/kit/gate";
import { readOwnMachine } from "@pergamon-dev/kit/process/own-machine";
import { chooseLanguages, likelyScripts, verticalLanguages } from "./languages.ts";
import type { OcrEngine, OcrPicture, OcrWord, QuarterTurn } from "./ocr-engine.ts";
import { portableGreyMap } from "./portable-grey-map.ts";
import { hardlyRead, legible, readUpright } from "./upright.ts";

/** Data that tells scripts and orientation. */
const SCRIPTS = "osd";
/** Data files that are not languages. */
const NO_LANGUAGES = new Set([SCRIPTS, "equ", "snum"]);

/** Tesseract segments the page itself, but does not detect the orientation. */
const FIND_ALL = "3";

const QUESTION_MS = 5_000;

/** Tells the script and reads nothing. */
const TELL_SCRIPT = "0";

/** Letters that show what the few are that were not read. */
const FEW_LETTERS = 5;

/** The program's confidence in a turn, from which it is worth a reading. */
const SURE_TURN = 1;

/** Tell the direction, and are no part of a word. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e]/g;

/** Each word takes about 50 bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** In characters, of the error output. */
const MAX_COMPLAINT_LENGTH = 500;

/**
 * The tesseract program of this machine; undefined if none works.
 * @param program - its path, or its name on PATH
 */
export async function openTesseractBinary(program = "tesseract"): Promise<OcrEngine | undefined> {
  try {
    const signal = AbortSignal.timeout(QUESTION_MS);
    const version = /tesseract v?([\d.]+)/.exec(await runTesseract(["--version"], { program, signal }))?.[1];
    const data = dataIn(await runTesseract(["--list-langs"], { program, signal }));
    const languages = data.filter((name) => !NO_LANGUAGES.has(name));
    return version === undefined || languages.length === 0
      ? undefined
      : new TesseractBinary(program, version, { languages, hasScripts: data.includes(SCRIPTS) });
  } catch {
    // The program is missing or does not run on this machine; the caller tries another engine.
    return undefined;
  }
}

function dataIn(output: string): readonly string[] {
  const [, ...names] = output.trim().split(/\r?\n/);
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

class TesseractBinary implements OcrEngine {
  readonly name: string;
  readonly #program: string;
  readonly #languages: readonly string[];
  readonly #hasScripts: boolean;
  readonly #gate = new Gate(Math.max(1, readOwnMachine().processors - 1));

  constructor(program: string, version: string, data: { languages: readonly string[]; hasScripts: boolean }) {
    const { languages, hasScripts } = data;
    this.#program = program;
    // With one language there is nothing to choose.
    this.#hasScripts = hasScripts && languages.length > 1;
    this.name = `tesseract ${version}`;
    this.#languages = languages;
  }

  async languages(): Promise<readonly string[]> {
    return this.#languages;
  }

  async recognise(
    picture: OcrPicture,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly OcrWord[]> {
    const run = { program: this.#program, signal };
    const installed = this.#languages;
    const look = (page: OcrPicture, fewest?: number) =>
      this.#hasScripts ? this.#gate.run(() => lookAt(page, run, fewest), signal) : undefined;
    const readIn = (page: OcrPicture, codes: readonly string[]) =>
      this.#gate.run(() => readPicture(page, codes, run), signal);

    const seen = await look(picture);
    const scripts = seen ? [seen.script] : [];
    let codes = chooseLanguages(languages, installed, scripts);
    let isDoubted = false;
    const read = async (page: OcrPicture): Promise<readonly OcrWord[]> => {
      let best = await readIn(page, codes);
      const rest = isDoubted ? undefined : hardlyRead(page, best);
      isDoubted = true;
      const other = rest && (await look(rest, FEW_LETTERS));
      for (const guess of other ? likelyScripts(other.script) : []) {
        const more = chooseLanguages(languages, installed, [...scripts, ...guess]);
        if (more.every((code) => codes.includes(code))) continue;
        const again = await readIn(page, more);
        if (legible(again) <= legible(best)) continue;
        [best, codes] = [again, more];
        if (!hardlyRead(page, best)) break;
      }
      return best;
    };
    const readDown = async (page: OcrPicture) => {
      const down = verticalLanguages(codes, installed);
      return down.length === 0 ? [] : readIn(page, down);
    };
    return readUpright(picture, read, { turn: seen?.turn, readDown });
  }

  async close(): Promise<void> {
    // Each picture has its own process, so nothing stays open.
  }
}

async function readPicture(
  picture: OcrPicture,
  codes: readonly string[],
  run: Run,
): Promise<readonly OcrWord[]> {
  const how = ["-l", codes.join("+"), "--psm", FIND_ALL, "--dpi", String(picture.dpi)];
  const input = portableGreyMap(picture);
  return wordsOfTsv(await runTesseract(["stdin", "stdout", ...how, "tsv"], { ...run, input }));
}

interface Seen {
  readonly script: string;
  readonly turn: QuarterTurn | undefined;
}

/**
 * The script that most letters are in, and how they are turned; undefined where there are too few to tell.
 * @param fewest - letters that are enough to tell; the program's default is right for whole pages
 */
async function lookAt(picture: OcrPicture, run: Run, fewest?: number): Promise<Seen | undefined> {
  const how = ["-l", SCRIPTS, "--psm", TELL_SCRIPT, "--dpi", String(picture.dpi)];
  if (fewest !== undefined) how.push("-c", `min_characters_to_try=${fewest}`);
  try {
    const told = await runTesseract(["stdin", "stdout", ...how], { ...run, input: portableGreyMap(picture) });
    const script = /^Script: (\w+)/m.exec(told)?.[1];
    const turn = Number(/^Rotate: (90|180|270)/m.exec(told)?.[1]) as QuarterTurn;
    const isSure = Number(/^Orientation confidence: ([\d.]+)/m.exec(told)?.[1]) >= SURE_TURN;
    return script === undefined ? undefined : { script, turn: turn > 0 && isSure ? turn : undefined };
  } catch {
    // Pages with too few letters end the program with an error; an abort ends the reading that follows as well.
    return undefined;
  }
}

interface Run {
  readonly program: string;
  readonly signal: AbortSignal;
  readonly input?: Uint8Array;
}

/**
 * Returns the output of tesseract. It uses one thread, because several pictures in parallel are faster than
 * several threads for one.
 * @throws the signal's reason once it is aborted, which kills the program; Error if it fails.
 */
function runTesseract(args: readonly string[], { program, signal, input }: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // "env" adds a variable to the inherited environment, so that this code need not read it.
    const child = spawn("env", ["OMP_THREAD_LIMIT=1", program, ...args]);
    const output: Buffer[] = [];
    let sizeBytes = 0;
    let complaint = "";
    const kill = () => child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      output.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_OUTPUT_BYTES) kill();
    });
    child.stderr.on(
      "data",
      (text: Buffer) => (complaint = (complaint + text.toString()).slice(-MAX_COMPLAINT_LENGTH)),
    );
    // The program may end before it has read all input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", kill);
      if (signal.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`tesseract ended with ${code}. ${complaint.trim()}`));
    });
  });
}

/** Rows of this level are words. Other levels are pages, blocks, paragraphs and lines. */
const WORD = "5";

/** Parses tesseract's TSV: level, page, block, paragraph, line, word, box, confidence, text. */
function wordsOfTsv(table: string): readonly OcrWord[] {
  const words: OcrWord[] = [];
  let line = -1;
  let place = "";
  for (const row of table.split("\n")) {
    const [level, page, block, paragraph, lineNumber, , left, top, width, height, confidence, text] =
      row.split("\t");
    const letters = text?.replace(DIRECTION_MARKS, "").trim();
    if (level !== WORD || !letters) continue;
    const here = `${page} ${block} ${paragraph} ${lineNumber}`;
    if (here !== place) line += 1;
    place = here;
    const [x0, y0] = [Number(left), Number(top)];
    const box = { x0, y0, x1: x0 + Number(width), y1: y0 + Number(height) };
    words.push({ text: letters, ...box, confidence: share(Number(confidence) / 100), line });
  }
  return words;
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
