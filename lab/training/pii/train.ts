import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { brotliCompressSync, gunzipSync } from "node:zlib";

import { findPersonalData } from "../../../packages/facts/src/redaction/find.ts";
import { featuresOf, openFeatureSource } from "../../../packages/facts/src/redaction/tagger/features.ts";
import { hashText } from "../../../packages/facts/src/redaction/tagger/hash.ts";
import { type Lookup, openLexicon, packLexicon } from "../../../packages/facts/src/redaction/tagger/lexicon.ts";
import { openTagger, type Tagger } from "../../../packages/facts/src/redaction/tagger/tagger.ts";
import { sequencesOf } from "../../../packages/facts/src/redaction/tagger/tokens.ts";
import { Filler, type NameLists, type Sample, seeded } from "./generate.ts";
import { type Lists, lexiconWords } from "./lexicon-words.ts";
import { type Example, labelled, learn, quantise } from "./perceptron.ts";
import { commonWords, messagesWithoutNames } from "./language-packages.ts";
import { templates } from "./own-lists.ts";
import { entityFreeTexts } from "./plain-texts.ts";
import { printScores } from "./scores.ts";

/** A labelled text of the quality sets. */
export interface Labelled extends Sample {
  readonly id: string;
  readonly lang: string;
}

const { values: options } = parseArgs({
  options: {
    lists: { type: "string" },
    packages: { type: "string" },
    data: { type: "string" },
    out: { type: "string" },
    folds: { type: "string", default: "0" },
    fills: { type: "string", default: "40" },
    rounds: { type: "string", default: "5" },
  },
});

/** What share of known names is hidden while learning, so that unknown ones are found by what stands around them. */
const HIDDEN_SHARE = 0.35;

/** What share of features is left out while learning, so that no single one decides. */
const LEFT_OUT_SHARE = 0.12;

const folder = options.packages as string;
const lists = JSON.parse(readFileSync(options.lists as string, "utf8")) as Lists;
const lexicon = packLexicon(lexiconWords(lists, await commonWords(folder)));
const lookup = openLexicon(lexicon);
const withoutNames = [...entityFreeTexts(lookup), ...messagesWithoutNames(folder, lookup)];
const made = [...filledTemplates(), ...withoutNames.map((text) => ({ text, spans: [] }))];
const given = ["pages.jsonl.gz", "presidio.jsonl"].map(readSet);
const sentences = readSet("sentences.jsonl");
console.error(`${made.length} texts made, ${lexicon.length / 4} words in the lists`);

const folds = Number(options.folds);
if (folds > 0) crossValidate();
if (options.out) writeModel(options.out);

function crossValidate(): void {
  const held: { rows: Labelled[]; tagger: Tagger }[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isHeld = (row: Labelled) => hashText(templateOf(row)) % folds === fold;
    const tagger = taggerOf([...made, ...given.flat().filter((row) => !isHeld(row))]);
    held.push({ rows: given.flat().filter(isHeld), tagger });
  }
  for (const name of ["page", "presidio"]) {
    const found = held.flatMap(({ rows, tagger }) =>
      rows
        .filter(({ id }) => id.startsWith(name))
        .map((row) => ({ row, spans: findPersonalData(row.text, "accurate", tagger) })),
    );
    printScores(`${name}, templates kept apart`, found);
  }
}

function writeModel(path: string): void {
  const weights = weightsOf([...made, ...given.flat()]);
  const tagger = openTagger(weights, lookup);
  printScores(
    "sentences, never trained on",
    sentences.map((row) => ({ row, spans: findPersonalData(row.text, "accurate", tagger) })),
  );
  const transitions = [...weights.transitions].map((weight) => Math.round(weight * 10) / 10);
  const emissions = packed(new Uint8Array(weights.emissions.buffer));
  writeFileSync(path, `${JSON.stringify({ transitions, lexicon: packed(lexicon), emissions })}\n`);
}

function packed(bytes: Uint8Array): string {
  return brotliCompressSync(bytes).toString("base64");
}

function taggerOf(samples: readonly Sample[]): Tagger {
  return openTagger(weightsOf(samples), lookup);
}

function weightsOf(samples: readonly Sample[]) {
  return quantise(learn(samples.flatMap(examplesOf), Number(options.rounds)));
}

function examplesOf({ text, spans }: Sample, index: number): readonly Example[] {
  const hiding: Lookup = (lower) => (hashText(lower, index) % 100 < HIDDEN_SHARE * 100 ? 0 : lookup(lower));
  const source = openFeatureSource(text, hiding);
  return sequencesOf(text).map((tokens) => {
    const rows = featuresOf(tokens, source);
    const features = rows.map((row, place) =>
      row?.filter((_, feature) => hashText(`${index} ${place} ${feature}`) % 100 >= LEFT_OUT_SHARE * 100),
    );
    return { features, labels: reachable(labelled(tokens, spans), rows) };
  });
}

/** What is outside for sure cannot be part of a name: the name begins behind it. */
function reachable(labels: Uint8Array, rows: readonly (Uint32Array | undefined)[]): Uint8Array {
  const own = labels.map((label, index) => (rows[index] ? label : 0));
  return own.map((label, index) => {
    const isCutOff = label > 0 && label % 2 === 0 && (index === 0 || own[index - 1] === 0);
    return isCutOff ? label - 1 : label;
  });
}

function filledTemplates(): readonly Sample[] {
  const random = seeded(11);
  const fillers = new Map(
    Object.entries(lists).map(([language, own]) => [
      language,
      new Filler(language, own, lists["other"] as NameLists, random),
    ]),
  );
  const texts = templates().flatMap(({ language, text }) =>
    Array.from({ length: Number(options.fills) }, () => (fillers.get(language) as Filler).fill(text)),
  );
  const noise = [...fillers.values()].flatMap((filler) => Array.from({ length: 350 }, () => filler.noise()));
  return [...joined(texts, random), ...noise];
}

/** Texts are longer than a sentence: some follow each other, on lines of their own or not. */
function joined(texts: readonly Sample[], random: () => number): readonly Sample[] {
  return texts.map((sample) => {
    const other = random() < 0.35 ? texts[Math.floor(random() * texts.length)] : undefined;
    if (!other) return sample;
    const between = random() < 0.5 ? "\n" : " ";
    const by = sample.text.length + between.length;
    return {
      text: sample.text + between + other.text,
      spans: [
        ...sample.spans,
        ...other.spans.map(({ start, end, type }) => ({ start: start + by, end: end + by, type })),
      ],
    };
  });
}

function readSet(name: string): readonly Labelled[] {
  const bytes = readFileSync(`${options.data}/${name}`);
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Labelled);
}

/** What texts have in common that were filled from one template. */
function templateOf({ id, text, spans }: Labelled): string {
  if (id.startsWith("page-")) return id.split("-").slice(0, 3).join("-");
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start));
    at = end;
  }
  return [...parts, text.slice(at)]
    .join("")
    .toLowerCase()
    .replace(/[\d\s,.]+/g, " ")
    .slice(0, 40);
}
