import type { Statements } from "../database/database.ts";
import { insertRows } from "../database/insert-rows.ts";
import type { KnownWindow } from "./shared-store.ts";
import { SlidingWindow } from "./sliding-window.ts";

const UPDATE = "ON CONFLICT (name) DO UPDATE SET steps = excluded.steps, expires_at = excluded.expires_at";

export async function readWindow(
  statements: Statements,
  key: string,
  windowMs: number,
): Promise<SlidingWindow> {
  const row = await statements
    .prepared<{ steps: string }>("SELECT steps FROM rate_windows WHERE name = ?")
    .get(key);
  return row ? SlidingWindow.decode(windowMs, row.steps) : new SlidingWindow(windowMs);
}

export async function writeWindow(
  inside: Statements,
  key: string,
  { text, expiresAtMs }: { readonly text: string; readonly expiresAtMs: number },
): Promise<void> {
  await inside
    .prepared(`INSERT INTO rate_windows (name, steps, expires_at) VALUES (?, ?, ?) ${UPDATE}`)
    .run(key, text, expiresAtMs);
}

/** Each then has at least what was known of it. */
export async function includeWindows(
  inside: Statements,
  windows: readonly KnownWindow[],
  nowMs: number,
): Promise<void> {
  const places = windows.map(() => "?").join(", ");
  const found = await inside
    .prepared<{ name: string; steps: string }>(
      `SELECT name, steps FROM rate_windows WHERE name IN (${places})`,
    )
    .all(...windows.map(({ key }) => key));
  const written = new Map(found.map(({ name, steps }) => [name, steps]));
  const rows = windows.map(({ key, windowMs, text }) => {
    const window = SlidingWindow.decode(windowMs, text);
    window.include(SlidingWindow.decode(windowMs, written.get(key) ?? "[]"), nowMs);
    return [key, window.encode(), window.emptyAtMs(nowMs)];
  });
  const into = "rate_windows (name, steps, expires_at)";
  await insertRows(inside, { into, row: "(?, ?, ?)", ending: UPDATE }, rows);
}
