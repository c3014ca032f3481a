import type { DetectedFile } from "../../fetch/file-kinds/detect.ts";
import type { FileParts, ReadOptions } from "../../fetch/file-kinds/kind.ts";
import type { Capture } from "../../fetch/capture.ts";
import type { ViewRequest, Views, views } from "./views.ts";

/** Options that affect the views of a page. */
export interface PageOptions extends ReadOptions {
  /** True when the only requested format returns the body unchanged. */
  readonly acceptsAnyFile: boolean;
}

export interface PageSource {
  readonly capture: Capture;
  readonly file: DetectedFile;
  readonly options: PageOptions;
}

/** A capture and its views, which formats share. Each view is computed on first use, then kept. */
export type Page<Table extends Views = typeof views> = { readonly capture: Capture } & {
  readonly [Name in keyof Table]: Table[Name] extends (parts: FileParts, ...args: infer Args) => infer Value
    ? (...args: Args) => Promise<Awaited<Value>>
    : never;
};

/** Metadata from the head of the page (contract, section 2.3, layer 1). */
export type PageMetadata = Awaited<ReturnType<Page["metadata"]>>;

/** Computes a view, in this thread or another. @throws the failures of the view. */
export type AnswerView = (request: ViewRequest) => Promise<unknown>;

/** `await` reads this to find out whether a value is a promise. */
const NO_VIEW = "then";

/** In characters. Whoever has longer texts asks about each once: as keys they would take long and be held twice. */
const LONG_TEXT = 64 * 1024;

export function hasLongText(args: readonly unknown[]): boolean {
  return args.some((value) => typeof value === "string" && value.length > LONG_TEXT);
}

/**
 * Opens a page with one function per view. Each view is computed once. The answering side decides which views
 * exist.
 */
export function openPage<Table extends Views>(capture: Capture, answer: AnswerView): Page<Table> {
  const asked = new Map<string, Promise<unknown>>();
  const ask = (request: ViewRequest): Promise<unknown> => {
    if (hasLongText(request.args)) return answer(request);
    const key = JSON.stringify(request);
    const answered = asked.get(key) ?? answer(request);
    asked.set(key, answered);
    return answered;
  };
  const page = new Proxy(
    { capture },
    {
      get(own, name) {
        if (name === "capture") return own.capture;
        if (typeof name === "symbol" || name === NO_VIEW) return undefined;
        return (...args: readonly unknown[]) => ask({ view: name, args });
      },
    },
  );
  return page as Page<Table>;
}
