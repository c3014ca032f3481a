import type { DetectedFile } from "../file-kinds/detect.ts";
import type { FileParts, ReadOptions } from "../file-kinds/kind.ts";
import type { Capture } from "../visit/capture.ts";
import type { ViewRequest, Views, views } from "./views.ts";

/** What of a page is wanted, as far as its views depend on it. */
export interface PageOptions extends ReadOptions {
  /** True when the only format asked for takes the body as it is. */
  readonly acceptsAnyFile: boolean;
}

/** What a page is made from. */
export interface PageSource {
  readonly capture: Capture;
  readonly file: DetectedFile;
  readonly options: PageOptions;
}

/** A capture and the views of it that formats share. A view is computed on first use, then kept. */
export type Page<Table extends Views = typeof views> = { readonly capture: Capture } & {
  readonly [Name in keyof Table]: Table[Name] extends (parts: FileParts, ...args: infer Args) => infer Value
    ? (...args: Args) => Promise<Awaited<Value>>
    : never;
};

/** What the page's head says about it (contract, section 2.3, layer 1). */
export type PageMetadata = Awaited<ReturnType<Page["metadata"]>>;

/** Computes a view, here or elsewhere. @throws what the view throws. */
export type AnswerView = (request: ViewRequest) => Promise<unknown>;

/** A page with a function for each view of the table. Each view is asked for once, however often it is wanted. */
export function openPage<Table extends Views>(
  table: Table,
  capture: Capture,
  answer: AnswerView,
): Page<Table> {
  const asked = new Map<string, Promise<unknown>>();
  const ask = (request: ViewRequest): Promise<unknown> => {
    const key = JSON.stringify(request);
    const answered = asked.get(key) ?? answer(request);
    asked.set(key, answered);
    return answered;
  };
  const functions = Object.keys(table).map((view) => [
    view,
    (...args: readonly unknown[]) => ask({ view, args }),
  ]);
  return { capture, ...Object.fromEntries(functions) } as Page<Table>;
}
