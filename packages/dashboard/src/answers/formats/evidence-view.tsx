import { useState } from "preact/hooks";

import { useAnswer } from "../../client/load.ts";
import { Notice, Skeleton } from "../../parts/states.tsx";
import { BlockSheet } from "../block-sheet.tsx";
import { MarkedPage } from "./cited-view.tsx";
import type { EvidenceCitations } from "./shapes.ts";

type Place = EvidenceCitations[string][number];

interface EvidenceViewProps {
  readonly citations: EvidenceCitations;
  /** Without it, the stored page is asked for. */
  readonly markdown: string | undefined;
  readonly id: string | undefined;
}

/** Values, and the place of the one that is touched, in the text of the page or on the picture of a document's page. */
export function EvidenceView({ citations, markdown, id }: EvidenceViewProps) {
  const values = Object.entries(citations).flatMap(([path, [place]]) => (place ? [{ path, place }] : []));
  const [touched, setTouched] = useState("");
  const shown = values.find(({ path }) => path === touched) ?? values[0];
  const missing = Object.keys(citations).filter((path) => citations[path]?.length === 0);
  return (
    <>
      <div class="beside">
        <section aria-label="Values" class="evidence">
          {values.map(({ path, place }) => (
            <button
              type="button"
              class="btn small"
              key={path}
              aria-pressed={path === shown?.path}
              onPointerEnter={() => setTouched(path)}
              onFocus={() => setTouched(path)}
              onClick={() => setTouched(path)}
            >
              <b class="foreign">{path}</b> <span class="foreign wrap">{place.text}</span>
            </button>
          ))}
          {missing.length > 0 && <p class="help">{`Without a place on the page: ${missing.join(", ")}`}</p>}
        </section>
        <section aria-label="Where it stands">
          {shown && <PlaceView place={shown.place} markdown={markdown} id={id} />}
        </section>
      </div>
    </>
  );
}

type PlaceViewProps = Omit<EvidenceViewProps, "citations"> & { readonly place: Place };

function PlaceView({ place, markdown, id }: PlaceViewProps) {
  const { foundBy, confidence, selector, page, bbox } = place;
  return (
    <>
      <p class="more help">
        {`Found by ${foundBy}, ${Math.round(100 * confidence)} % sure`}
        {selector !== undefined && <code class="foreign wrap">{` ${selector}`}</code>}
      </p>
      {page !== undefined && bbox && id !== undefined ? (
        <BlockSheet
          page={{ pageNumber: page, width: null, height: null }}
          items={[{ id: "value", type: "text", bbox: [...bbox] }]}
          id={id}
          selected="value"
          onSelect={() => undefined}
          onKeyDown={() => undefined}
        />
      ) : (
        <InText place={place} markdown={markdown} id={id} />
      )}
    </>
  );
}

function InText({ place, markdown, id }: PlaceViewProps) {
  if (markdown !== undefined) return <MarkedText place={place} markdown={markdown} />;
  return id === undefined ? (
    <p class="more help">The page is not stored.</p>
  ) : (
    <InStored place={place} id={id} />
  );
}

function InStored({ place, id }: { readonly place: Place; readonly id: string }) {
  const { data, problem } = useAnswer(
    "GET /admin/api/requests/{id}/page",
    { params: { id } },
    { everyMs: "fixed" },
  );
  if (problem !== undefined) return <Notice tone="warn" title={problem} />;
  return data ? <MarkedText place={place} markdown={data.data.markdown} /> : <Skeleton lines={4} />;
}

function MarkedText({
  place: { markdownSpan, text },
  markdown,
}: {
  readonly place: Place;
  readonly markdown: string;
}) {
  const [start, end] = markdownSpan ?? [0, 0];
  if (markdown.slice(start, end) !== text)
    return <p class="more help">The page says this in its data, not in its text.</p>;
  const line = markdown.slice(0, start).split("\n").length;
  return <MarkedPage markdown={markdown} cited={[{ line, start, end }]} />;
}
