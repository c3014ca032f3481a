/** Characters. Longer sources are not read. */
const MAX_JSON = 4_000_000;
/** Maximum levels of JSON inside JSON strings. */
const MAX_NESTING = 3;
const MAX_VALUES = 200_000;
const MIN_NESTED = 200;
const MIN_MARKUP = 20;
const MIN_PLAIN = 200;

const MARKUP = /<(?:p|div|br|ul|ol|li|blockquote|pre|h[1-6]|table)\b/i;
/** Keys whose plain text counts as content. */
const PLAIN_KEYS: ReadonlySet<string> = new Set(
  "articleBody text body content reviewBody description".split(" "),
);
const AUTHOR_KEYS = ["display_username", "displayName", "username", "author", "name"];

export interface JsonText {
  /** Name of the property that holds the text. */
  readonly key: string;
  readonly value: string;
  readonly isMarkup: boolean;
  /** Author that the object names; "" when it names none. */
  readonly author: string;
}

/**
 * Returns the texts in a JSON source that read like content, in source order. Returns none when it is not
 * JSON.
 */
export function findJsonTexts(source: string): readonly JsonText[] {
  const reader = new JsonReader();
  reader.read(source, 0);
  return reader.texts;
}

class JsonReader {
  readonly texts: JsonText[] = [];
  #left = MAX_VALUES;

  /** Visits the values of a JSON source in order, without recursion except for JSON inside JSON. */
  read(source: string, nesting: number): void {
    const root = parseJson(source);
    const open = root ? [root] : [];
    for (let owner = open.pop(); owner && this.#left > 0; owner = open.pop()) {
      for (const inside of this.#visit(owner, nesting).reverse()) open.push(inside);
    }
  }

  /** Reads the texts of one object or array and returns the objects and arrays inside. */
  #visit(owner: object, nesting: number): object[] {
    const inside: object[] = [];
    const entries = entriesOf(owner, this.#left);
    const facts = new Map(entries);
    for (const [key, value] of entries) {
      this.#left--;
      if (typeof value === "object" && value !== null) inside.push(value);
      if (typeof value !== "string") continue;
      if (isJson(value) && nesting < MAX_NESTING) this.read(value, nesting + 1);
      else this.#add(facts, key, value);
    }
    return inside;
  }

  #add(facts: ReadonlyMap<string, unknown>, key: string, value: string): void {
    const isMarkup = value.length >= MIN_MARKUP && MARKUP.test(value);
    const isPlain = value.length >= MIN_PLAIN && PLAIN_KEYS.has(key);
    if (isMarkup || isPlain) this.texts.push({ key, value, isMarkup, author: authorOf(facts) });
  }
}

/** Returns the first `most` properties of an object or values of an array. */
function entriesOf(owner: object, most: number): readonly (readonly [string, unknown])[] {
  if (Array.isArray(owner)) return owner.slice(0, most).map((value: unknown) => ["", value] as const);
  return Object.entries(owner as Readonly<Record<string, unknown>>).slice(0, most);
}

function authorOf(facts: ReadonlyMap<string, unknown>): string {
  const author = AUTHOR_KEYS.map((key) => facts.get(key)).find(
    (value) => typeof value === "string" && value !== "",
  );
  return typeof author === "string" ? author : "";
}

function isJson(text: string): boolean {
  const first = text.charCodeAt(0);
  return text.length >= MIN_NESTED && (first === 123 || first === 91);
}

function parseJson(json: string): object | undefined {
  if (json.length > MAX_JSON) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
