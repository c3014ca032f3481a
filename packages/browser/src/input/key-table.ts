import { ownProperty } from "@pergamon-dev/kit/own-property";

/** A key of a US keyboard. */
export interface Key {
  /** `KeyboardEvent.key`. */
  readonly key: string;
  /** `KeyboardEvent.code`. */
  readonly code: string;
  /** `KeyboardEvent.keyCode`. */
  readonly keyCode: number;
  /** Text that the key types; undefined for keys that type nothing. */
  readonly text?: string;
  /** 3 for the number pad. */
  readonly location?: number;
  /** True when the key needs Shift. */
  readonly isShifted?: boolean;
}

/** Bits of `modifiers` in the DevTools protocol. */
export const modifierBits = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;

export type Modifier = keyof typeof modifierBits;

const NAMED = `Backspace 8|Tab 9|Enter 13|Shift ShiftLeft 16|Control ControlLeft 17|Alt AltLeft 18|Pause 19|CapsLock 20|
  Escape 27|PageUp 33|PageDown 34|End 35|Home 36|ArrowLeft 37|ArrowUp 38|ArrowRight 39|ArrowDown 40|PrintScreen 44|
  Insert 45|Delete 46|Meta MetaLeft 91|ContextMenu 93|NumLock 144|ScrollLock 145|AudioVolumeMute 173|
  AudioVolumeDown 174|AudioVolumeUp 175|MediaTrackNext 176|MediaTrackPrevious 177|MediaStop 178|MediaPlayPause 179`;

/** The unshifted and the shifted character of each key that types a sign, its code and key code. */
const SIGNS = `\` ~ Backquote 192|1 ! Digit1 49|2 @ Digit2 50|3 # Digit3 51|4 $ Digit4 52|5 % Digit5 53|6 ^ Digit6 54|
  7 & Digit7 55|8 * Digit8 56|9 ( Digit9 57|0 ) Digit0 48|- _ Minus 189|= + Equal 187|[ { BracketLeft 219|
  ] } BracketRight 221|\\ PIPE Backslash 220|; : Semicolon 186|' " Quote 222|, < Comma 188|. > Period 190|/ ? Slash 191`;

/** Alternative names that callers use. */
const ALIASES: Readonly<Record<string, string>> = {
  return: "Enter",
  esc: "Escape",
  del: "Delete",
  ins: "Insert",
  space: " ",
  spacebar: " ",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  pgup: "PageUp",
  pgdn: "PageDown",
  ctrl: "Control",
  cmd: "Meta",
  command: "Meta",
  option: "Alt",
  plus: "+",
  controlormeta: "Control",
};

const keysByCharacter: ReadonlyMap<string, Key> = new Map(
  [...namedKeys(), ...functionKeys(), ...letterKeys(), ...signKeys(), spaceKey()].map((key) => [
    key.key,
    key,
  ]),
);

const keysByName: ReadonlyMap<string, Key> = new Map([
  ...[...keysByCharacter.values()].map((key) => [key.code.toLowerCase(), key] as const).reverse(),
  ...[...keysByCharacter.values()]
    .filter((key) => key.key.length > 1)
    .map((key) => [key.key.toLowerCase(), key] as const),
]);

/**
 * Returns the key with a name such as `Enter`, `ArrowDown`, `a`, `KeyA` or `F5`; undefined when there is
 * none.
 */
export function keyNamed(name: string): Key | undefined {
  const alias = ownProperty(ALIASES, name.toLowerCase()) ?? name;
  return keysByCharacter.get(alias) ?? keysByName.get(alias.toLowerCase());
}

/** Returns the key that types this character; undefined when no key of this keyboard does. */
export function keyTyping(character: string): Key | undefined {
  if (character === "\n" || character === "\r") return keysByCharacter.get("Enter");
  if (character === "\t") return keysByCharacter.get("Tab");
  const key = keysByCharacter.get(character);
  return key?.text === character ? key : undefined;
}

function namedKeys(): readonly Key[] {
  return entriesOf(NAMED).map((parts) => {
    const [key = "", code = key] = parts.slice(0, -1);
    return { key, code, keyCode: Number(parts.at(-1)), ...(key === "Enter" && { text: "\r" }) };
  });
}

function functionKeys(): readonly Key[] {
  return Array.from({ length: 24 }, (_, index) => ({
    key: `F${index + 1}`,
    code: `F${index + 1}`,
    keyCode: 112 + index,
  }));
}

function letterKeys(): readonly Key[] {
  return "abcdefghijklmnopqrstuvwxyz".split("").flatMap((letter) => {
    const upper = letter.toUpperCase();
    const common = { code: `Key${upper}`, keyCode: upper.charCodeAt(0) };
    return [
      { ...common, key: letter, text: letter },
      { ...common, key: upper, text: upper, isShifted: true },
    ];
  });
}

function signKeys(): readonly Key[] {
  return entriesOf(SIGNS).flatMap(([plain = "", shifted = "", code = "", keyCode]) => {
    const common = { code, keyCode: Number(keyCode) };
    const upper = shifted === "PIPE" ? "|" : shifted;
    return [
      { ...common, key: plain, text: plain },
      { ...common, key: upper, text: upper, isShifted: true },
    ];
  });
}

function spaceKey(): Key {
  return { key: " ", code: "Space", keyCode: 32, text: " " };
}

function entriesOf(table: string): readonly (readonly string[])[] {
  return table.split("|").map((entry) => entry.trim().split(/\s+/));
}
