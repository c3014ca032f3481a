import type { SessionBrowser } from "../../platform/browser/session-browser.ts";

/** What a token in a path leads to. */
export interface SessionAccess {
  readonly kind: "cdp" | "live";
  /** Whether a live view may be touched. */
  readonly interactive: boolean;
  readonly session: Pick<SessionBrowser, "confined" | "screencast">;
}

/** Looks a token up. Undefined: there is no such token, or its session has ended. Takes as long for every token. */
export type FindSession = (token: string) => SessionAccess | undefined;

const PATH = /^\/(cdp|live)\/([\w-]{1,200})(?:\?|$)/;

/** The kind and the token that a path names. */
export function tokenIn(path: string): { readonly kind: string; readonly token: string } | undefined {
  const [, kind, token] = PATH.exec(path) ?? [];
  return kind === undefined || token === undefined ? undefined : { kind, token };
}

/** What a path leads to. A token of one kind opens nothing of another. */
export function findAccess(find: FindSession, path: string): SessionAccess | undefined {
  const named = tokenIn(path);
  const access = named && find(named.token);
  return access?.kind === named?.kind ? access : undefined;
}
