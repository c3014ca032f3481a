import type { Parameters } from "./command.ts";

/** Limits the targets and sessions that a client's commands can reach. */
export interface ClientScope {
  readonly contextId: string;
  /** @throws Refusal when the value is not the id of a target in the client's context */
  ownTarget(value: unknown): string;
  /** @throws Refusal when the value is not the id of a session of this client */
  ownSession(value: unknown): string;
  /** Whether the client may hear about a target. */
  isOwn(targetInfo: { readonly browserContextId?: string }): boolean;
  /** @throws Refusal at the maximum number of pages or sessions */
  checkRoom(): void;
  /** Opens another session with the browser besides the first. */
  openBrowserSession(): Promise<{ readonly sessionId: string }>;
  /** Ends a session with the browser. @returns false for sessions of pages */
  closeBrowserSession(sessionId: string): boolean;
  /** Closes the connection, once this command has been answered. */
  leave(): void;
}

/** The outcome of a check of a command to the browser. */
export type CommandVerdict =
  /** The command is sent with these parameters. `change` may edit the result. */
  | { readonly send: Parameters; readonly change?: (result: Parameters) => Parameters }
  /** The command is answered here. */
  | { readonly answer: () => Promise<object> | object };
