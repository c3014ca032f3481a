import type { TestSet } from "./test-sets.mjs";

export declare function chooseTests(
  root: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
): { readonly options: readonly string[]; readonly env: Readonly<Record<string, string>> };
export declare function setsLeftOut(changed: readonly string[] | undefined): readonly TestSet[];
