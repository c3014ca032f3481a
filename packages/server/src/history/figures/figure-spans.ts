/** Length of the time that a row covers. Rows of longer spans are kept longer and read faster. */
export const spansMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type Span = keyof typeof spansMs;

/** Retention of the rows of each span. */
export const RETENTION_MS: Readonly<Record<Span, number>> = {
  minute: 3 * spansMs.hour,
  hour: 62 * spansMs.day,
  day: 731 * spansMs.day,
};

export interface FigureQuery {
  readonly span: Span;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
}

export interface OwnerFigures {
  readonly teamId: string;
  readonly keyId: string;
  readonly pages: number;
  readonly credits: number;
}
