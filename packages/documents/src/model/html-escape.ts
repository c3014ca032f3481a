const IN_TEXT = /[&<>]/;
const IN_ATTRIBUTE = /[&<>"]/;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** Escapes text between tags. */
export function escapeText(text: string): string {
  return IN_TEXT.test(text) ? text.replace(/[&<>]/g, entityOf) : text;
}

/** Escapes the value of an attribute in double quotes. */
export function escapeAttribute(value: string): string {
  return IN_ATTRIBUTE.test(value) ? value.replace(/[&<>"]/g, entityOf) : value;
}

function entityOf(character: string): string {
  return ENTITIES.get(character) ?? character;
}
