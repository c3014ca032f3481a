import { kindNamed } from "../../content/kinds/all.ts";
import type { DetectedFile } from "../../content/kinds/detect.ts";
import type { Page, PageMetadata, PageOptions } from "../../page/page.ts";
import { actionData } from "../../visit/actions/action-results.ts";
import type { Capture } from "../../visit/capture.ts";
import type { FormatTools } from "../formats/format.ts";
import { formatNamed } from "../request/formats.ts";
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
  outside: Omit<FormatTools, "warn" | "onceMade">,
): Promise<Produced> {
  const warnings = [...warningsOf(page.capture), ...wanted.warnings];
  const whenMade: (() => Promise<void>)[] = [];
  const tools: FormatTools = {
    ...outside,
    warn: (sentence) => warnings.unshift(sentence),
    onceMade: (task) => void whenMade.push(task),
  };
  const work = wanted.formats.map(({ name, options }) => formatNamed(name).produce(page, options, tools));
  const [pageMetadata, actions, ...parts] = await Promise.all([
    page.metadata(),
    page.capture.actions && actionData(page.capture.actions, outside.link),
    ...work,
  ]);
  outside.signal.throwIfAborted();
  await Promise.all(whenMade.map((task) => task()));
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
  if (!options.acceptsAnyFile) kindNamed(kind).check?.(options, mimeType);
}
