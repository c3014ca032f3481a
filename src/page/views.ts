import type { Page, WantedAttribute } from "./page.ts";

/** One view that is asked for, in a form that can be sent to another thread. */
export type ViewRequest =
  | { readonly view: "markdown" | "html" | "rawHtml" | "links" | "images" | "metadata" }
  | { readonly view: "attributes"; readonly wanted: readonly WantedAttribute[] };

export async function computeView(page: Page, request: ViewRequest): Promise<unknown> {
  return request.view === "attributes" ? page.attributes(request.wanted) : page[request.view]();
}
