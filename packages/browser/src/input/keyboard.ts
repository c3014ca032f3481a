import { setTimeout as sleep } from "node:timers/promises";

import { type Key, keyNamed, keyTyping, type Modifier, modifierBits } from "./key-table.ts";
import type { BrowserTab } from "../tab/tab.ts";

/** Keys that are pressed together: modifiers first, then the key. */
interface KeyPress {
  readonly modifiers: readonly Modifier[];
  readonly key: Key;
}

/** Parses a name such as `Enter`, `a` or `Control+Shift+A`; undefined when a part names no key. */
export function parseKeyPress(text: string): KeyPress | undefined {
  const parts = text.split(/(?<=[^+\s])\s*\+\s*/);
  const modifiers = parts.slice(0, -1).map((part) => keyNamed(part)?.key);
  const key = keyNamed(combined(parts.at(-1) ?? "", modifiers));
  if (!key || !modifiers.every(isModifier)) return undefined;
  return { key, modifiers };
}

/** People write `Control+A` and press no Shift for it. */
function combined(name: string, modifiers: readonly (string | undefined)[]): string {
  if (modifiers.length === 0 || !/^[a-z]$/i.test(name)) return name;
  return modifiers.includes("Shift") ? name.toUpperCase() : name.toLowerCase();
}

/** Presses the keys and releases them. @throws the signal's reason once it is aborted. */
export async function pressKeys(
  tab: Pick<BrowserTab, "session">,
  { modifiers, key }: KeyPress,
  signal: AbortSignal,
  holdMs = 0,
): Promise<void> {
  const held: Modifier[] = [];
  const all = key.isShifted && !modifiers.includes("Shift") ? [...modifiers, "Shift" as const] : modifiers;
  for (const modifier of all) {
    held.push(modifier);
    await send(tab, { type: "keyDown", key: keyOf(modifier), held }, signal);
  }
  await send(tab, { type: "keyDown", key, held }, signal);
  if (holdMs > 0) await sleep(holdMs, undefined, { signal });
  await send(tab, { type: "keyUp", key, held }, signal);
  for (const modifier of [...all].reverse()) {
    held.splice(held.indexOf(modifier), 1);
    await send(tab, { type: "keyUp", key: keyOf(modifier), held }, signal);
  }
}

/** Time between two keys of somebody who types, in milliseconds. */
const MIN_INTERVAL_MS = 20;
const MAX_INTERVAL_MS = 60;
/** Long texts are typed faster: their intervals end after this time. */
const MAX_TEXT_MS = 2500;

/** Types the text one character after another into the focused element, as fast as people do. */
export async function typeText(
  tab: Pick<BrowserTab, "session">,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const characters = Array.from(text.replace(/\r\n/g, "\n"));
  const endsAtMs = performance.now() + MAX_TEXT_MS;
  for (const [index, character] of characters.entries()) {
    const shareMs = Math.max(0, endsAtMs - performance.now()) / (characters.length - index);
    const usualMs = MIN_INTERVAL_MS + Math.random() * (MAX_INTERVAL_MS - MIN_INTERVAL_MS);
    const intervalMs = Math.floor(Math.min(usualMs, shareMs));
    const key = keyTyping(character);
    if (key) await pressKeys(tab, { modifiers: [], key }, signal, Math.floor(intervalMs / 2));
    else await tab.session.send("Input.insertText", { text: character }, { signal });
    if (intervalMs > 0) await sleep(Math.ceil(intervalMs / 2), undefined, { signal });
  }
}

/** `KeyboardEvent.location` of the modifiers that are pressed here. */
const LEFT = 1;

interface KeyEvent {
  readonly type: "keyDown" | "keyUp";
  readonly key: Key;
  /** Modifiers that are down meanwhile. */
  readonly held: readonly Modifier[];
}

async function send(
  tab: Pick<BrowserTab, "session">,
  { type, key, held }: KeyEvent,
  signal: AbortSignal,
): Promise<void> {
  const modifiers = held.reduce((bits, modifier) => bits | modifierBits[modifier], 0);
  // With Control or Meta held, the key is a command and types nothing.
  const types = !held.some((modifier) => modifier !== "Shift");
  const text = type === "keyDown" && types ? key.text : undefined;
  await tab.session.send(
    "Input.dispatchKeyEvent",
    {
      type: type === "keyDown" && text === undefined ? "rawKeyDown" : type,
      modifiers,
      key: key.key,
      code: key.code,
      windowsVirtualKeyCode: key.keyCode,
      location: isModifier(key.key) ? LEFT : (key.location ?? 0),
      ...(text !== undefined && { text, unmodifiedText: text }),
    },
    { signal },
  );
}

function keyOf(modifier: Modifier): Key {
  const key = keyNamed(modifier);
  if (!key) throw new Error(`Unknown key: ${modifier}.`);
  return key;
}

function isModifier(name: string | undefined): name is Modifier {
  return name !== undefined && Object.hasOwn(modifierBits, name);
}
