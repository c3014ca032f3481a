/** What the main thread sends to a page thread: the name of a function of `worker.ts`, and its argument. */
export interface ThreadCall {
  readonly name: "computeViews" | "compareVersions" | "matchPatterns";
  readonly task: unknown;
}

/** What a page thread sends back. `ready` comes once, before everything else. */
export type ThreadReply =
  | { readonly kind: "ready" }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "failure"; readonly failure: unknown };
