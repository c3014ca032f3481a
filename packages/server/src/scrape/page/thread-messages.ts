/** Message from the main thread to a page thread: the name of a function of `worker.ts`, and its argument. */
export interface ThreadCall {
  readonly name: "computeViews" | "compareVersions" | "matchPatterns" | "vectorOf";
  readonly task: unknown;
}

/** Message from a page thread. `ready` comes once, before all others. */
export type ThreadReply =
  | { readonly kind: "ready" }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "failure"; readonly failure: unknown };
