import { type FormatName, formatNamed } from "./formats.ts";
import type { ScrapeRequest } from "./schema.ts";

interface WantedFormat {
  readonly name: FormatName;
  readonly options: ScrapeRequest["formats"][number];
}

/**
 * Whether a page is checked for orders to models. Without a model there is nothing to steer (contract, section 3.14).
 */
export function isInjectionChecked(
  request: Pick<ScrapeRequest, "checkPromptInjection">,
  wanted: readonly WantedFormat[],
): boolean {
  const formats = wanted.map(({ name, options }) => ({ format: formatNamed(name), options }));
  const isAsked =
    request.checkPromptInjection ||
    formats.some(({ format, options }) => format.model?.checksInjection?.(options));
  return (
    isAsked && formats.some(({ format: { model }, options }) => model && (model.isAsked?.(options) ?? true))
  );
}
