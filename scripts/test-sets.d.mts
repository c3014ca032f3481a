/** Tests that run only when something of theirs changed. */
export interface TestSet {
  readonly name: string;
  readonly tests: readonly string[];
  readonly but?: readonly string[];
  readonly of: readonly string[];
  readonly always: string;
}

export declare const TEST_SETS: readonly TestSet[];
export declare function isOfSet(set: TestSet, file: string): boolean;
