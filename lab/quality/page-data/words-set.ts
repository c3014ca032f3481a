import { countInDocuments, countInPages } from "../own-figures/words.ts";
import type { Figures } from "./labelled-sets.ts";

/** Words that documents and the main content of pages lose on their way into blocks and Markdown. */
export async function scoreWords({
  tools,
  data,
}: {
  readonly tools: string;
  readonly data: string | undefined;
}): Promise<Figures> {
  const options = { data: data ?? tools };
  const inDocuments = await countInDocuments(options);
  const inPages = countInPages(options);
  return [
    ...(inDocuments === undefined ? [] : [["documents: words lost", inDocuments] as const]),
    ...(inPages === undefined ? [] : [["markdown: words of the main content lost", inPages] as const]),
  ];
}
