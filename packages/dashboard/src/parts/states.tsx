import type { ComponentChildren } from "preact";

import type { Loaded } from "../client/load.ts";
import type { Pages } from "../client/pages-of.ts";
import { plainly } from "../format/foreign.ts";
import { moment } from "../format/times.ts";
import { Sign, type Tone } from "./badge.tsx";

/** Grey lines where something will stand. */
export function Skeleton({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** What to do next. */
  readonly children: ComponentChildren;
  readonly act?: ComponentChildren;
}

/** Nothing is there, and what to do about it. */
export function Empty({ title, children, act }: EmptyProps) {
  return (
    <div class="empty">
      <b>{title}</b>
      <p class="help">{children}</p>
      {act}
    </div>
  );
}

interface NoticeProps {
  readonly tone: Extract<Tone, "bad" | "warn" | "ok">;
  readonly title: string;
  readonly children?: ComponentChildren;
}

const TONE_NAMES = { bad: "Failed", warn: "Attention", ok: "Done" } as const;

/** Something the operator has to know about what is below. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Sign tone={tone} name={TONE_NAMES[tone]} />
      <div>
        <b class="foreign">{plainly(title)}</b>
        {children !== undefined && <div class="help">{children}</div>}
      </div>
    </div>
  );
}

interface WithDataProps<Data> {
  readonly loaded: Loaded<Data>;
  readonly children: (data: Data) => ComponentChildren;
  readonly lines?: number;
}

/** Shows what was loaded; until then grey lines, and why not if it failed. */
export function WithData<Data>({ loaded, children, lines = 5 }: WithDataProps<Data>) {
  const { data, problem, atMs, reload } = loaded;
  return (
    <>
      {problem !== undefined && (
        <Notice tone="bad" title={problem}>
          {data !== undefined && atMs !== undefined && (
            <p>{`What is shown is of ${moment(new Date(atMs).toISOString())}.`}</p>
          )}
          <button type="button" class="btn small" onClick={reload}>
            Try again
          </button>
        </Notice>
      )}
      {data === undefined ? problem === undefined && <Skeleton lines={lines} /> : children(data)}
    </>
  );
}

interface WithPagesProps<Entry> {
  readonly pages: Pages<Entry>;
  /** The button that fetches the next page. */
  readonly verb: string;
  readonly children: (entries: readonly Entry[]) => ComponentChildren;
  readonly lines?: number;
}

/** Shows the pages of a list that were loaded, and a button for the next one. */
export function WithPages<Entry>({ pages, verb, children, lines = 5 }: WithPagesProps<Entry>) {
  const { loaded, more } = pages;
  return (
    <WithData loaded={loaded} lines={lines}>
      {({ data }) => (
        <>
          {children(data)}
          {more && (
            <button type="button" class="btn" onClick={more}>
              {verb}
            </button>
          )}
        </>
      )}
    </WithData>
  );
}
