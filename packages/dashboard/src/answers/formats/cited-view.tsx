import { useRef, useState } from "preact/hooks";

import { useAnswer } from "../../client/load.ts";
import { plural } from "../../format/numbers.ts";
import { copyText } from "../../parts/copy.tsx";
import { Skeleton } from "../../parts/states.tsx";
import { type Cited, linesOf, type PageLine } from "./page-lines.ts";

interface CitedViewProps {
  readonly format: "answer" | "highlights" | "summary";
  readonly text: string;
  /** Of the scrape; without one, its page cannot be shown next to it. */
  readonly id: string | undefined;
}

/** What was answered, and the lines of the page that it comes from, marked where they stand. */
export function CitedView({ format, text, id }: CitedViewProps) {
  return (
    <>
      <div class="answered">
        {format === "highlights" ? <Passages text={text} /> : <p class="foreign wrap">{text}</p>}
        <button type="button" class="btn small" onClick={() => void copyText(text)}>
          Copy
        </button>
      </div>
      {id !== undefined && <Sources id={id} format={format} />}
    </>
  );
}

function Passages({ text }: { readonly text: string }) {
  return (
    <ul class="passages">
      {text.split("\n").map((passage, index) => (
        <li class="foreign wrap" key={index}>
          {passage}
        </li>
      ))}
    </ul>
  );
}

function Sources({ id, format }: Pick<CitedViewProps, "format"> & { readonly id: string }) {
  const { data, problem } = useAnswer(
    "GET /admin/api/requests/{id}/page",
    { params: { id } },
    { everyMs: "fixed" },
  );
  if (problem !== undefined) return <p class="more help">{problem}</p>;
  if (!data) return <Skeleton lines={4} />;
  const cited = data.data.cited.filter((part) => part.format === format);
  if (cited.length === 0)
    return <p class="more help">No line of the page says this word for word, or in most of its words.</p>;
  return <MarkedPage markdown={data.data.markdown} cited={cited} />;
}

interface MarkedPageProps {
  readonly markdown: string;
  readonly cited: readonly Cited[];
}

/** The page as Markdown, with what is cited marked; at first only that and the lines around it. */
export function MarkedPage({ markdown, cited }: MarkedPageProps) {
  const [isWhole, setWhole] = useState(false);
  const page = useRef<HTMLOListElement>(null);
  const numbers = [...new Set(cited.map(({ line }) => line))];
  const { lines, isCut } = linesOf(markdown, cited, isWhole);
  function show(line: number): void {
    const element = page.current?.querySelector<HTMLElement>(`[value="${line}"]`);
    element?.scrollIntoView({ block: "center" });
    element?.focus({ preventScroll: true });
  }
  return (
    <>
      <div class="row between more wrapping">
        <span class="row tight wrapping">
          <span class="dim">{`From ${plural(numbers.length, "line")} of the page:`}</span>
          {numbers.slice(0, 12).map((line) => (
            <button type="button" class="chip cite" key={line} onClick={() => show(line)}>
              {`line ${line}`}
            </button>
          ))}
        </span>
        <div class="tabs" role="group" aria-label="Show the page">
          <button type="button" aria-pressed={!isWhole} onClick={() => setWhole(false)}>
            Around it
          </button>
          <button type="button" aria-pressed={isWhole} onClick={() => setWhole(true)}>
            Whole page
          </button>
        </div>
      </div>
      <ol class="page-lines" ref={page} aria-label="Lines of the page" tabIndex={0}>
        {lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
      </ol>
      {isCut && <p class="more help">The page has more lines. The Markdown shows all of them.</p>}
    </>
  );
}

function Line({ line: { number, parts, isAfterGap } }: { readonly line: PageLine }) {
  return (
    <li
      value={number}
      tabIndex={-1}
      class={`${isAfterGap ? "after-gap" : ""} ${parts.some(({ isCited }) => isCited) ? "cited" : ""}`}
    >
      <i aria-hidden="true">{number}</i>
      <span class="foreign wrap">
        {parts.map(({ text, isCited }, index) => (isCited ? <mark key={index}>{text}</mark> : text))}
      </span>
    </li>
  );
}
