import type { Candidate } from "./candidate.ts";
import { type Concept, conceptOfWords } from "./concepts.ts";

/** Of candidates that are called the same, more are not looked at. */
const MAX_ALIKE = 200;

/** Candidates that are called the same. */
export interface CandidateGroup {
  readonly label: readonly string[];
  readonly concept: Concept | undefined;
  readonly candidates: readonly Candidate[];
}

/** Candidates by the words and the concepts of their labels, so that a schema of many properties costs little. */
export class CandidateIndex {
  readonly #byWord = new Map<string, Set<CandidateGroup>>();
  readonly #byConcept = new Map<Concept, Set<CandidateGroup>>();

  constructor(candidates: readonly Candidate[]) {
    const groups = new Map<string, CandidateGroup & { readonly candidates: Candidate[] }>();
    for (const candidate of candidates) {
      const key = `${candidate.concept ?? ""} ${candidate.label.join(" ")}`;
      const known = groups.get(key);
      if (known) {
        if (known.candidates.length < MAX_ALIKE) known.candidates.push(candidate);
        continue;
      }
      const concept = candidate.concept ?? conceptOfWords(candidate.label);
      groups.set(key, { label: candidate.label, concept, candidates: [candidate] });
    }
    for (const group of groups.values()) this.#add(group);
  }

  /** The groups that have a word or the concept in common with what is asked for. */
  near(words: Iterable<string>, concept: Concept | undefined): ReadonlySet<CandidateGroup> {
    const found = new Set(concept === undefined ? [] : this.#byConcept.get(concept));
    for (const word of words) for (const group of this.#byWord.get(word) ?? []) found.add(group);
    return found;
  }

  /** The groups of a concept. */
  of(concept: Concept): Iterable<CandidateGroup> {
    return this.#byConcept.get(concept) ?? [];
  }

  #add(group: CandidateGroup): void {
    for (const word of group.label) entry(this.#byWord, word).add(group);
    if (group.concept !== undefined) entry(this.#byConcept, group.concept).add(group);
  }
}

function entry<Key>(table: Map<Key, Set<CandidateGroup>>, key: Key): Set<CandidateGroup> {
  const known = table.get(key);
  if (known) return known;
  const made = new Set<CandidateGroup>();
  table.set(key, made);
  return made;
}
