import { feed } from "./feed.ts";
import { html } from "./html.ts";
import { image } from "./image.ts";
import type { Kind } from "./kind.ts";
import { office } from "./office.ts";
import { pdf } from "./pdf.ts";
import { text } from "./text.ts";
import { unsupported } from "./unsupported.ts";

/** One line per kind of file. The last one takes all other types. */
export const kinds: readonly Kind[] = [html, feed, text, pdf, image, office, unsupported];

/** @throws Error when no kind has this name. */
export function kindNamed(name: string, table: readonly Kind[] = kinds): Kind {
  const kind = table.find((one) => one.name === name);
  if (!kind) throw new Error(`Unknown kind of file: ${name}.`);
  return kind;
}
