import type { ActionData } from "../../api/answer.ts";
import type { FileContent } from "../../storage/blobs/file-content.ts";

/** What the actions of a visit left behind, each kind in the order of its actions. */
export interface ActionResults {
  readonly screenshots: readonly FileContent[];
  readonly scrapes: ActionData["scrapes"];
  readonly javascriptReturns: ActionData["javascriptReturns"];
  readonly pdfs: readonly FileContent[];
  /** URLs of the pages that the actions were done on. */
  readonly pages: readonly string[];
}

/** `data.actions` of these results, which are none where no engine did the actions (contract, section 2.2). */
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
