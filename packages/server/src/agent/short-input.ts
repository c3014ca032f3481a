/** What is kept of an input: enough to see what was done, and no more than a few hundred bytes. */
const MAX_TEXT_LENGTH = 300;
const MAX_BYTES = 700;

/** An input as operators and models see it: long texts are cut, and what is large as a whole becomes a text. */
export function shortInput(input: object): unknown {
  const text = JSON.stringify(input, (_name, value: unknown) =>
    typeof value === "string" ? cut(value) : value,
  );
  return Buffer.byteLength(text) <= MAX_BYTES ? (JSON.parse(text) as unknown) : { input: cut(text) };
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
