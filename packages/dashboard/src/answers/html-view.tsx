import { useState } from "preact/hooks";

import { Source } from "./source.tsx";

interface HtmlViewProps {
  readonly html: string;
  /** Of the scrape; without one, the page cannot be shown as it looks. */
  readonly id: string | undefined;
}

/** HTML as text, or in a frame that can neither run nor fetch anything. */
export function HtmlView({ html, id }: HtmlViewProps) {
  const [isPage, setPage] = useState(false);
  return (
    <>
      {id !== undefined && (
        <div class="more">
          <div class="tabs" role="group" aria-label="Show HTML">
            <button type="button" aria-pressed={!isPage} onClick={() => setPage(false)}>
              Source
            </button>
            <button type="button" aria-pressed={isPage} onClick={() => setPage(true)}>
              Rendered, without scripts and images
            </button>
          </div>
        </div>
      )}
      {isPage && id !== undefined ? (
        <iframe class="frame" title="The page" sandbox="" src={`/admin/preview/${id}`} />
      ) : (
        <Source text={html} label="HTML" />
      )}
    </>
  );
}
