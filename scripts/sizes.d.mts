export declare function measureSizes(root: string): {
  readonly figures: readonly string[];
  readonly violations: readonly string[];
};
