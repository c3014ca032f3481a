import type { CandidateGroup, CandidateIndex } from "./candidate-index.ts";
import { type Concept, conceptOfWords, isThing } from "./concepts.ts";
import { labelWords, likeness } from "./words.ts";

/** A requested property, with the names of the objects around it. */
export interface SoughtProperty {
  readonly words: readonly string[];
  readonly concept: Concept | undefined;
  /** Words of its description. */
  readonly hints: ReadonlySet<string>;
}

const SAME = 1;
const SAME_CONCEPT = 0.93;
const SIMILAR_WORDS = 0.55;
const HINTED = 0.6;
const LEAST_ALIKE = 0.5;

/** @param around names of the enclosing objects. Names of what pages are about are ignored. */
export function askedFor(name: string, description: string, around: readonly string[]): SoughtProperty {
  const outer = around.flatMap(labelWords).filter((word) => !isThing(word));
  const own = labelWords(name);
  const words = [...outer.filter((word) => !own.includes(word)), ...own];
  const described = labelWords(description.slice(0, 120));
  return {
    words,
    concept: conceptOfWords(words) ?? conceptOfDescription(words, description),
    hints: new Set(described),
  };
}

/** The first concept in the description, used if the property's name has none. */
function conceptOfDescription(words: readonly string[], description: string): Concept | undefined {
  if (words.length > 1 || description === "") return undefined;
  const [clause = ""] = description.split(/[,.;:()]|\s(?:of|in|as|for|that|which|without)\s/);
  return conceptOfWords(labelWords(clause));
}

/** Likelihood that candidates with this label answer the property, 0 to 1. */
export function likelihood(
  asked: SoughtProperty,
  { label, concept }: Pick<CandidateGroup, "label" | "concept">,
): number {
  if (label.length > 0 && label.join(" ") === asked.words.join(" ")) return SAME;
  if (concept !== undefined && concept === asked.concept) return SAME_CONCEPT;
  if (concept !== undefined && asked.concept !== undefined) return standIn(asked.concept, concept);
  const alike = likeness(label, asked.words);
  if (alike >= LEAST_ALIKE) return SIMILAR_WORDS + 0.3 * alike;
  const isHinted = label.join("").length > 3 && label.every((word) => asked.hints.has(word));
  return isHinted && asked.concept === undefined ? HINTED : 0;
}

/** Concepts that can replace a missing one, with weights: one line per concept. */
const STAND_INS: Partial<Record<Concept, Partial<Record<Concept, number>>>> = {
  isbn: { isbn13: 0.9, isbn10: 0.8 },
  isbn13: { isbn: 0.9 },
  isbn10: { isbn: 0.8 },
  company: { brand: 0.5 },
  publisher: { siteName: 0.5 },
};

function standIn(asked: Concept, offered: Concept): number {
  return STAND_INS[asked]?.[offered] ?? 0;
}

export function groupsFor(asked: SoughtProperty, index: CandidateIndex): ReadonlySet<CandidateGroup> {
  const others = asked.concept === undefined ? [] : Object.keys(STAND_INS[asked.concept] ?? {});
  const near = index.near([...asked.words, ...asked.hints], asked.concept);
  return new Set([...near, ...others.flatMap((concept) => [...index.of(concept as Concept)])]);
}
