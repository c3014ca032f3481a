/** Tells how dangerous a URL is. */
export interface ThreatClassifier {
  /** True when no question leaves this machine. */
  readonly isLocal: boolean;
  /**
   * From 0, harmless, to 100.
   * @throws when it cannot tell; the signal's reason once that is aborted.
   */
  score(url: string, signal: AbortSignal): Promise<number>;
}
