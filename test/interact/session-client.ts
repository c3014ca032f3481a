import { expectDeclared } from "../declared.ts";
import type { World } from "../world.ts";

/** An answer of the routes of sessions; a test that reads a member that is not there fails. */
export interface SessionBody {
  readonly success: boolean;
  readonly error: string;
  readonly code: string;
  readonly sessionId: string;
  readonly id: string;
  readonly status: string;
  readonly cdpUrl: string;
  readonly liveViewUrl: string;
  readonly interactiveLiveViewUrl: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly result: string;
  readonly output: string;
  readonly exitCode: number;
  readonly killed: boolean;
  readonly expiresAt: string;
  readonly sessionDurationMs: number;
  readonly creditsBilled: number;
  readonly sessions: readonly SessionBody[];
}

export type SessionAnswer = readonly [status: number, body: SessionBody];

/** Asks the service, and holds what it answers against what it declares. @param line such as `POST /v2/browser`. */
export async function ask(
  { baseUrl }: Pick<World, "baseUrl">,
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<SessionAnswer> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as SessionBody;
  expectDeclared({ method, path, status: response.status, body: answer });
  return [response.status, answer];
}
