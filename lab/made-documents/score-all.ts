import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openPdfReader, type PdfReader } from "../../packages/documents/src/pdfium/reader.ts";
import { readPdf } from "../../packages/documents/src/read-pdf.ts";
import { MadeRandom } from "../training/made/random.ts";
import { GENERATORS, openPlace, type Place } from "./generators.ts";
import type { MadeDocument, MadeLook } from "./made-document.ts";
import { scoreMade } from "./score.ts";
import { MadeText, WRITINGS, type WritingName } from "./texts.ts";
import { TOPICS } from "./topics.ts";

/** Of each kind by each generator. */
const LOOKS = 6;

interface Order {
  /** What is made is kept there. */
  readonly folder?: string;
  readonly generators?: readonly string[];
  readonly topic?: string | undefined;
  readonly isVerbose?: boolean;
}

/**
 * Lets programs that make PDFs print documents of eleven kinds, and compares what is read of them, part by part. Nothing is
 * learned from them. A program that is missing is named, and one that prints
 * nothing of a document.
 * @returns mean scores by generator, kind, both, script, and "all", the mean of the generators
 */
export async function scoreMadeDocuments({
  folder = join(tmpdir(), "pergamon-made-documents"),
  generators = Object.keys(GENERATORS),
  topic,
  isVerbose = false,
}: Order): Promise<ReadonlyMap<string, number>> {
  const place = openPlace(folder);
  const pdf = await openPdfReader();
  const scores = new Map<string, number[]>();
  for (const name of generators) {
    for (const { made, file } of await printedBy(name, folder, place)) {
      if (topic !== undefined && topic !== made.topic) continue;
      const { share, missed } = scoreMade(made, await readMarkdown(file, pdf));
      for (const key of [name, `${name} ${made.topic}`, made.topic, made.writing])
        scores.set(key, [...(scores.get(key) ?? []), share]);
      if (isVerbose && missed.length > 0) console.log(`${file} ${share.toFixed(2)}\n  ${missed.join("\n  ")}`);
    }
  }
  const means = new Map([...scores].map(([key, all]) => [key, meanOf(all)]));
  return means.set("all", meanOf(generators.flatMap((name) => means.get(name) ?? [])));
}

const meanOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;

/** Documents of a generator, which prints them once; none where its program is missing. */
async function printedBy(
  name: string,
  parent: string,
  place: Place,
): Promise<readonly { readonly made: MadeDocument; readonly file: string }[]> {
  const generator = GENERATORS[name];
  if (!generator) throw new Error(`There is no generator ${name}.`);
  const documents = makeDocuments(generator.writings, Object.keys(GENERATORS).indexOf(name));
  const folder = join(parent, name);
  if (!existsSync(join(folder, "printed"))) {
    mkdirSync(folder, { recursive: true });
    for (const made of documents)
      writeFileSync(join(folder, `${made.name}.${generator.ending}`), generator.sourceOf(made));
    try {
      await generator.print(folder, place);
      writeFileSync(join(folder, "printed"), "");
    } catch (error) {
      console.log(`${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  }
  const files = documents.map((made) => ({ made, file: join(folder, `${made.name}.pdf`) }));
  const printed = files.filter(({ file }) => existsSync(file) && statSync(file).size > 0);
  if (printed.length < files.length) console.log(`${name} has printed ${printed.length} of ${files.length} documents.`);
  return printed;
}

function makeDocuments(writings: readonly WritingName[], seed: number): readonly MadeDocument[] {
  return Object.entries(TOPICS).flatMap(([topic, blocksOf], kind) =>
    Array.from({ length: LOOKS }, (_, at) => {
      const random = new MadeRandom(1 + seed * 1000 + kind * 50 + at);
      const writing = writings[(at + kind) % writings.length] ?? "english";
      const text = new MadeText(writing, random);
      const { language } = WRITINGS[writing];
      const look = lookOf(random);
      const blocks = blocksOf(text, random);
      return { name: `${topic}-${at}`, topic, writing, language, isRightToLeft: text.writing.isRightToLeft ?? false, look, blocks };
    }),
  );
}

function lookOf(random: MadeRandom): MadeLook {
  return {
    hasSerifs: random.chance(0.5),
    points: random.pick([8, 9, 10, 11, 12]),
    rules: random.pick(["all", "rows", "head", "none"]),
    leaders: random.pick(["dots", "dots", "blank"]),
    isIndented: random.chance(0.4),
    isJustified: random.chance(0.5),
    headings: random.pick(["bold", "bold", "large", "italic"]),
    gapPoints: random.pick([12, 16, 20, 28]),
  };
}

async function readMarkdown(file: string, pdf: PdfReader): Promise<string> {
  const bytes = readFileSync(file);
  const options = { mode: "fast", maxPages: undefined, pageMarkers: false, languages: [] } as const;
  const tools = { pdf, ocr: async () => undefined, signal: new AbortController().signal };
  const { document } = await readPdf({ bytes, options, from: 1, maxPages: 50, maxMs: 60_000 }, tools);
  return document?.markdown ?? "";
}
