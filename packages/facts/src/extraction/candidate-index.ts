import type { Candidate } from "./candidate.ts";
import { type Concept, conceptOfLabel } from "./concepts.ts";

/** Maximum candidates with the same label. */
const MAX_ALIKE = 200;

/** Candidates with the same label. */
export interface CandidateGroup {
  readonly label: readonly string[];
  readonly concept: Concept | undefined;
  readonly candidates: readonly Candidate[];
}

/**
 * Candidates indexed by the words and concepts of their labels, which keeps schemas with many properties
 * fast.
 */
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
      const concept = candidate.concept ?? conceptOfLabel(candidate.label);
      groups.set(key, { label: candidate.label, concept, candidates: [candidate] });
    }
    for (const group of groups.values()) this.#add(group);
  }

  /** Groups that share a word or the concept with the requested property. */
  near(words: Iterable<string>, concept: Concept | undefined): ReadonlySet<CandidateGroup> {
    const found = new Set(concept === undefined ? [] : this.#byConcept.get(concept));
    for (const word of words) for (const group of this.#byWord.get(word) ?? []) found.add(group);
    return found;
  }

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
