import { ServiceError } from "../../contract/errors.ts";
import type { DetectedFile } from "../../content/file-kind.ts";
import type { Capture } from "../../visit/capture.ts";
import { actionData } from "../../visit/actions/action-results.ts";
import type { FormatTools } from "../formats/format.ts";
import { formatNamed } from "../request/formats.ts";
import { notAvailable } from "../request/not-implemented.ts";
import type { Page, PageMetadata } from "../../page/page.ts";
import type { PageOptions } from "../../page/parts.ts";
import type { PlannedFormat } from "../request/plan.ts";
import type { ScrapeData } from "./schema.ts";

/** What the formats made of a page, before the metadata of the single scrape is added. */
export interface Produced {
  readonly fields: Omit<ScrapeData, "metadata">;
  readonly pageMetadata: PageMetadata;
}

/** Computes all wanted formats at once; they share the page's views. */
export async function produceFormats(
  page: Page,
  wanted: { readonly formats: readonly PlannedFormat[]; readonly warnings: readonly string[] },
  outside: Omit<FormatTools, "warn">,
): Promise<Produced> {
  const warnings = [...warningsOf(page.capture), ...wanted.warnings];
  const tools: FormatTools = { ...outside, warn: (sentence) => warnings.unshift(sentence) };
  const work = wanted.formats.map(({ name, options }) => formatNamed(name).produce(page, options, tools));
  const [pageMetadata, actions, ...parts] = await Promise.all([
    page.metadata(),
    page.capture.actions && actionData(page.capture.actions, outside.link),
    ...work,
  ]);
  const warning = warnings.length > 0 ? { warning: warnings.join(" ") } : {};
  return {
    fields: Object.assign({}, ...parts, actions && { actions }, warning) as Produced["fields"],
    pageMetadata,
  };
}

/** What the engine could not do (contract, section 3.21). */
function warningsOf({ lacks = [] }: Capture): readonly string[] {
  if (lacks.length === 0) return [];
  const features = lacks.join(", ");
  return [
    `The engine used does not support the following features: ${features} -- your scrape may be partial.`,
  ];
}

/** @throws ServiceError when the wanted formats cannot be made from a file of this kind (contract, section 3.16). */
export function refuseUnreadable({ kind, mimeType }: DetectedFile, options: PageOptions): void {
  if (options.acceptsAnyFile) return;
  if (kind === "unsupported") throw unsupported(mimeType);
  if (kind === "document") throw notAvailable(`Reading documents of type ${mimeType}`);
  if (kind === "pdf" && options.parsesPdf) throw notAvailable("Reading PDF files");
  if (kind === "image" && options.imageParsing === "parse") throw notAvailable("Reading images");
  if (kind === "image" && options.imageParsing === "refuse") throw unsupported(mimeType);
}

function unsupported(mimeType: string): ServiceError {
  const message = `The URL returned a file type that Pergamon cannot process: ${mimeType}. The rawBase64 format returns any file as it is.`;
  return new ServiceError("SCRAPE_UNSUPPORTED_FILE_ERROR", { message });
}
