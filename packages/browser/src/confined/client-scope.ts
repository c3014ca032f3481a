import type { Parameters } from "./command.ts";

/** What a client can reach, for the checks of its commands. */
export interface ClientScope {
  readonly contextId: string;
  /** @throws Refusal when the value is not the id of a target in the client's context */
  ownTarget(value: unknown): string;
  /** @throws Refusal when the value is not the id of a session of this client */
  ownSession(value: unknown): string;
  /** Whether what the browser tells of a target is for this client. */
  isOwn(targetInfo: { readonly browserContextId?: string }): boolean;
  /** @throws Refusal when there are as many pages or sessions as there may be */
  checkRoom(): void;
  /** Opens a session with the browser besides the first. */
  openBrowserSession(): Promise<{ readonly sessionId: string }>;
  /** Ends such a session. @returns false for sessions of pages */
  closeBrowserSession(sessionId: string): boolean;
  /** Ends the conversation, once this has been answered. */
  leave(): void;
}

/** What becomes of a command to the browser. */
export type CommandVerdict =
  /** It continues with these parameters; what comes back may be changed on the way. */
  | { readonly send: Parameters; readonly change?: (result: Parameters) => Parameters }
  /** It is answered here. */
  | { readonly answer: () => Promise<object> | object };
