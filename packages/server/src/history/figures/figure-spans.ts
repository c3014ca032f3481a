/** How long a row's time is. Longer ones are kept longer, and read faster. */
export const spansMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type Span = keyof typeof spansMs;

/** How long rows of a span are kept. */
export const RETENTION_MS: Readonly<Record<Span, number>> = {
  minute: 3 * spansMs.hour,
  hour: 62 * spansMs.day,
  day: 731 * spansMs.day,
};

/** Which rows are read. */
export interface FigureQuery {
  readonly span: Span;
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
}

/** Requests and credits of a team and key. */
export interface OwnerFigures {
  readonly teamId: string;
  readonly keyId: string;
  readonly pages: number;
  readonly credits: number;
}
