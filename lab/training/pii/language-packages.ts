import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { COMMON, type Lookup } from "../../../packages/facts/src/redaction/tagger/lexicon.ts";

/** Translations of an editor's messages (MIT). */
const MESSAGES = ["de", "fr", "es", "it", "pl", "pt-br"];
/** Grammars with the words of a language, in bundles that carry all they need (MIT). */
const GRAMMARS = ["", "de-", "fr-", "es-"];

/** Kinds of words in the grammars that are no names, and stand at the beginning of sentences or as nouns. */
const NO_NAMES =
  /^(?:Abbreviation|Noun|MaleNoun|FemaleNoun|NeuterNoun|Singular|Plural|Uncountable|Adjective|(?:Male|Female|Singular|Plural)Adjective|Comparative|Superlative|Adverb|Preposition|Conjunction|Determiner|Pronoun|Possessive|QuestionWord|Infinitive|PresentTense|PastTense|Gerund|PastParticiple|Participle|Perfecto|ThirdPerson|Verb|Modal|Auxiliary|Copula|Negative|Expression|Cardinal|Ordinal|TextCardinal|TextOrdinal|TextValue|Unit|Currency|Actor|Honorific)$/;

interface Bundle {
  readonly default: {
    world?(): { readonly model: Model };
    model?(): Model;
  };
}

interface Model {
  readonly one: { readonly lexicon: Readonly<Record<string, string | readonly string[]>> };
}

/** Words in lower case that are common in one of the languages. @param folder has the packages' `node_modules`. */
export async function commonWords(folder: string): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const language of GRAMMARS) {
    const lexicon = await lexiconOf(folder, `${language}compromise`);
    for (const [word, kinds] of Object.entries(lexicon)) {
      const kind = typeof kinds === "string" ? kinds : (kinds.at(-1) ?? "");
      if (NO_NAMES.test(kind) && /^\p{L}{3,}$/u.test(word)) words.add(word);
    }
  }
  for (const language of MESSAGES) {
    for (const word of wordsOf(messages(folder, language), language === "de")) words.add(word);
  }
  return words;
}

async function lexiconOf(folder: string, name: string): Promise<Model["one"]["lexicon"]> {
  const file = name === "compromise" ? "src/three.js" : `builds/${name}.mjs`;
  const { default: grammar } = (await import(
    pathToFileURL(join(folder, "node_modules", name, file)).href
  )) as Bundle;
  const model = grammar.world?.().model ?? grammar.model?.();
  return model?.one.lexicon ?? {};
}

/** Words that stand in lower case somewhere, and, where nouns are capital, those within sentences. */
function wordsOf(texts: readonly string[], hasCapitalNouns: boolean): ReadonlySet<string> {
  const pattern = hasCapitalNouns
    ? /(?<=\p{Ll} )\p{Lu}\p{Ll}{3,}(?!\p{L})|(?<!\p{L})\p{Ll}{3,}(?!\p{L})/gu
    : /(?<!\p{L})\p{Ll}{3,}(?!\p{L})/gu;
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of text.match(pattern) ?? [])
      counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > 1).map(([word]) => word));
}

/** Messages in other languages than English, none with a word that lists know as a name. */
export function messagesWithoutNames(folder: string, lookup: Lookup): readonly string[] {
  return MESSAGES.flatMap((language) =>
    messages(folder, language)
      .filter((text) => text.length > 40 && text.length < 400 && !/[{}<>\\`]|\w\.\w/.test(text))
      .filter(
        (text) =>
          !(text.match(/(?<=.)\p{Lu}\p{Ll}+/gu) ?? []).some(
            (word) => lookup(word.toLowerCase()) % COMMON > 0,
          ),
      )
      .slice(0, MAX_MESSAGES),
  );
}

const MAX_MESSAGES = 700;

function messages(folder: string, language: string): readonly string[] {
  const root = join(
    folder,
    "node_modules/@codingame",
    `monaco-vscode-language-pack-${language}`,
    "translations",
  );
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  return files.flatMap((name) => stringsIn(JSON.parse(readFileSync(join(root, name), "utf8"))));
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
