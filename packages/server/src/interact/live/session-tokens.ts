import { possibleElsewhere } from "../../api/elsewhere.ts";
import { NotFoundError } from "../../api/errors.ts";
import type { SessionBrowser } from "@pergamon-dev/browser/session-browser";

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

/** Of the tag of a process that others pass requests on to; without one a token is random bytes alone. */
const RANDOM_LENGTH = 43;

/** What is said of a path that leads to nothing here. Its token may say which process it belongs to. */
export function nothingAt(path: string): NotFoundError {
  const token = tokenIn(path)?.token ?? "";
  const missing = new NotFoundError("Browser session not found.");
  if (token.length <= RANDOM_LENGTH) return missing;
  return possibleElsewhere(missing, token.slice(0, token.length - RANDOM_LENGTH));
}

/** What a path leads to. A token of one kind opens nothing of another. */
export function findAccess(find: FindSession, path: string): SessionAccess | undefined {
  const named = tokenIn(path);
  const access = named && find(named.token);
  return access?.kind === named?.kind ? access : undefined;
}
