/** Chromium writes the session id as the last member of a message, in 32 hexadecimal digits. */
const TAIL_START = ',"sessionId":"';
const TAIL_END = '"}';
const ID_LENGTH = 32;
const TAIL_LENGTH = TAIL_START.length + ID_LENGTH + TAIL_END.length;

/**
 * Returns the session id of a browser message without parsing it; undefined when the message belongs to the
 * browser itself. Page content cannot imitate it: everything within `params` or `result` is closed by a brace
 * before that of the message.
 */
export function sessionIdOf(text: string): string | undefined {
  if (!hasTail(text)) return undefined;
  return text.slice(-TAIL_END.length - ID_LENGTH, -TAIL_END.length);
}

/** Returns the message without its session id, or with another one. */
export function withSessionId(text: string, sessionId: string | undefined): string {
  if (sessionId !== undefined && sessionIdOf(text) === sessionId) return text;
  const body = text.slice(0, hasTail(text) ? -TAIL_LENGTH : -1);
  return sessionId === undefined ? `${body}}` : `${body}${TAIL_START}${sessionId}${TAIL_END}`;
}

function hasTail(text: string): boolean {
  return text.startsWith(TAIL_START, text.length - TAIL_LENGTH) && text.endsWith(TAIL_END);
}
