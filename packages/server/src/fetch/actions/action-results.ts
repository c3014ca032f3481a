import type { ActionData } from "../../api/answer.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";

/** Results of a visit's actions. Each kind is in the order of its actions. */
export interface ActionResults {
  readonly screenshots: readonly FileContent[];
  readonly scrapes: ActionData["scrapes"];
  readonly javascriptReturns: ActionData["javascriptReturns"];
  readonly pdfs: readonly FileContent[];
  /** URLs of the pages on which the actions ran. */
  readonly pages: readonly string[];
}

/**
 * Returns `data.actions` of these results, which is empty when no engine ran the actions (contract, section
 * 2.2).
 */
export async function actionData(
  { screenshots = [], scrapes = [], javascriptReturns = [], pdfs = [] }: Partial<ActionResults>,
  link: (file: FileContent) => Promise<string>,
): Promise<ActionData> {
  return {
    screenshots: await Promise.all(screenshots.map((file) => link(file))),
    scrapes,
    javascriptReturns,
    pdfs: await Promise.all(pdfs.map((file) => link(file))),
  };
}
