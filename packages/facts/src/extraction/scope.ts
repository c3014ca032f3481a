import { lazy } from "@pergamon-dev/kit/lazy";
import type { Candidate } from "./candidate.ts";
import { CandidateIndex } from "./candidate-index.ts";

/** A part of a page that speaks of one thing. */
export interface Scope {
  /** By what they are called. */
  index(): CandidateIndex;
  candidates(): readonly Candidate[];
  /** Parts that speak of things which belong to it, by what they are called. */
  inner(): readonly InnerScope[];
  /** Several things of one kind that belong to it. */
  sets(): readonly ScopeSet[];
}

interface InnerScope {
  readonly label: readonly string[];
  readonly scope: Scope;
}

/** Several things of one kind. */
export interface ScopeSet {
  /** What they are called, in other words each. */
  readonly labels: readonly (readonly string[])[];
  readonly weight: number;
  readonly scopes: readonly Scope[];
}

/** A scope whose parts are found on first use. */
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
