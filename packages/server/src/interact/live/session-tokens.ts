import { possibleElsewhere } from "../../api/elsewhere.ts";
import { NotFoundError } from "../../api/errors.ts";
import type { SessionBrowser } from "@pergamon-dev/browser/session-browser";

export interface SessionAccess {
  readonly kind: "cdp" | "live";
  /** Whether viewers of the live view may send input. */
  readonly interactive: boolean;
  readonly session: Pick<SessionBrowser, "confined" | "screencast">;
}

/**
 * Looks up a token. Undefined: there is no such token, or its session has ended. Takes the same time for
 * every token.
 */
export type FindSession = (token: string) => SessionAccess | undefined;

const PATH = /^\/(cdp|live)\/([\w-]{1,200})(?:\?|$)/;

/** Kind and token in a path. */
export function tokenIn(path: string): { readonly kind: string; readonly token: string } | undefined {
  const [, kind, token] = PATH.exec(path) ?? [];
  return kind === undefined || token === undefined ? undefined : { kind, token };
}

/**
 * Length of a token without the tag of its process. Only processes that receive passed requests have a tag.
 */
const RANDOM_LENGTH = 43;

/** Error for a path without a session here. Its token may name the process that it belongs to. */
export function nothingAt(path: string): NotFoundError {
  const token = tokenIn(path)?.token ?? "";
  const missing = new NotFoundError("Browser session not found.");
  if (token.length <= RANDOM_LENGTH) return missing;
  return possibleElsewhere(missing, token.slice(0, token.length - RANDOM_LENGTH));
}

/** Session of a path. A token of one kind does not open the other. */
export function findAccess(find: FindSession, path: string): SessionAccess | undefined {
  const named = tokenIn(path);
  const access = named && find(named.token);
  return access?.kind === named?.kind ? access : undefined;
}
