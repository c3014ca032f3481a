import type { WorkKind } from "./work.ts";

/** Figures of ended work. They reveal no more of what was requested than the host. */
export interface EndedWork {
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly endedAtMs: number;
  /** Undefined where it says nothing of the speed: a session lasts as long as it is wanted. */
  readonly durationMs?: number | undefined;
  readonly kind?: WorkKind | undefined;
  readonly creditsUsed: number;
  /** Undefined when the work succeeded. */
  readonly errorCode?: string | undefined;
  readonly isHit: boolean;
  readonly formats: readonly string[];
  /** Source of the page: cache, http, browser … */
  readonly way?: string | undefined;
  /** Host of the page. Undefined where nothing may tell what was requested. */
  readonly host?: string | undefined;
}

/** A call that was refused before any work began. It cost nothing. */
export interface RefusedCall {
  /** Empty if its team is unknown. */
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly atMs: number;
  readonly code: string;
}

/**
 * What a figure counts: requests at all, and those of them that failed (`name` is the code), came from the cache, wanted
 * a format, were got in a way, were of a kind, or took so long (`name` is the bucket; `hitDuration`: those from the
 * cache); and, besides them, calls that were refused (`name` is the code).
 */
export type FigureKind =
  | "all"
  | "failed"
  | "hit"
  | "format"
  | "way"
  | "kind"
  | "duration"
  | "hitDuration"
  | "refused";
