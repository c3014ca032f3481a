/** Figures of ended work. They do not reveal what was requested. */
export interface EndedWork {
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly endedAtMs: number;
  readonly durationMs: number;
  readonly creditsUsed: number;
  /** Undefined when the work succeeded. */
  readonly errorCode?: string | undefined;
  readonly isHit: boolean;
  readonly formats: readonly string[];
  /** Source of the page: cache, http, browser … */
  readonly way?: string | undefined;
}

/**
 * What a figure counts: requests at all, and those of them that failed (`name` is the code), came from the cache, wanted
 * a format, were got in a way, or took so long (`name` is the bucket).
 */
export type FigureKind = "all" | "failed" | "hit" | "format" | "way" | "duration";
