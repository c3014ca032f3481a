/** Scores the danger of a URL. */
export interface ThreatClassifier {
  /** True when no request leaves this machine. */
  readonly isLocal: boolean;
  /**
   * Score from 0, harmless, to 100.
   * @throws when it does not know the URL; the signal's reason once that is aborted.
   */
  score(url: string, signal: AbortSignal): Promise<number>;
}
