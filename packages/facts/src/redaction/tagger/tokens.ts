/** A word, a number, a sign or a line end, with its position. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Runs of letters are bounded: one of some millions takes more stack than there is. */
const TOKEN =
  /\n|[\p{L}\p{M}]{1,1000}(?:[-‑][\p{L}\p{M}]{1,1000}){0,100}|\p{N}{1,1000}|[^\s\p{L}\p{M}\p{N}]/gu;

/** In tokens. Each sequence is labelled as a whole; longer ones are cut to bound the memory. */
const MAX_SEQUENCE_LENGTH = 400;

/** One sequence per paragraph. */
export function sequencesOf(text: string): readonly (readonly Token[])[] {
  const sequences: Token[][] = [[]];
  for (const { 0: value, index } of text.matchAll(TOKEN)) {
    const open = sequences.at(-1) as Token[];
    const isParagraphEnd = value === "\n" && (open.length === 0 || open.at(-1)?.text === "\n");
    if (isParagraphEnd || open.length >= MAX_SEQUENCE_LENGTH) sequences.push([]);
    if (!isParagraphEnd) sequences.at(-1)?.push({ text: value, start: index, end: index + value.length });
  }
  return sequences.filter(({ length }) => length > 0);
}
