import { plainly } from "../format/foreign.ts";

/** Links of documents, such as `[backups](#backups)`, which lead nowhere here. */
const LINK = /\[([^\]]+)\]\([^)]*\)/g;

/** A sentence of the service, in which names are between backticks. */
export function Words({ text }: { readonly text: string }) {
  return (
    <>
      {plainly(text)
        .replace(LINK, "$1")
        .split("`")
        .map((part, index) =>
          index % 2 === 1 ? (
            <code key={index} class="foreign">
              {part}
            </code>
          ) : (
            part
          ),
        )}
    </>
  );
}
