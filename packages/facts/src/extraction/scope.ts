import { lazy } from "@pergamon-dev/kit/lazy";
import type { Candidate } from "./candidate.ts";
import { CandidateIndex } from "./candidate-index.ts";

/** A part of a page about one thing. */
export interface Scope {
  /** Candidates indexed by label. */
  index(): CandidateIndex;
  candidates(): readonly Candidate[];
  /** Parts about nested things, with their names. */
  inner(): readonly InnerScope[];
  /** Sets of nested things of the same kind. */
  sets(): readonly ScopeSet[];
}

interface InnerScope {
  readonly label: readonly string[];
  readonly scope: Scope;
}

/** Several things of the same kind. */
export interface ScopeSet {
  /** Alternative names of the set. */
  readonly labels: readonly (readonly string[])[];
  readonly weight: number;
  readonly scopes: readonly Scope[];
}

/** A scope that finds its parts on first use. */
export function openScope(
  find: () => readonly Candidate[],
  belongings: Partial<Pick<Scope, "inner" | "sets">> = {},
): Scope {
  const candidates = lazy(find);
  return {
    candidates,
    index: lazy(() => new CandidateIndex(candidates())),
    inner: lazy(belongings.inner ?? (() => [])),
    sets: lazy(belongings.sets ?? (() => [])),
  };
}
