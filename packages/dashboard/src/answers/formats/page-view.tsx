import { useState } from "preact/hooks";

import { useAnswer } from "../../client/load.ts";
import { Notice, Skeleton } from "../../parts/states.tsx";
import { MarkdownView } from "../markdown-view.tsx";
import { Source } from "../source.tsx";

/** The captured page next to the Markdown that was made of it: what was kept, and what was left out. */
export function PageView({ id }: { readonly id: string }) {
  const [isSource, setSource] = useState(true);
  const { data, problem } = useAnswer(
    "GET /admin/api/requests/{id}/page",
    { params: { id } },
    { everyMs: "fixed" },
  );
  if (problem !== undefined) return <Notice tone="warn" title={problem} />;
  if (!data) return <Skeleton lines={8} />;
  const { markdown, html, isCut } = data.data;
  return (
    <>
      {isCut && <p class="more help">The page is too long to be shown whole here.</p>}
      <div class="beside">
        {html !== null && (
          <section aria-label="The captured page">
            <div class="more">
              <div class="tabs" role="group" aria-label="Show the captured page">
                <button type="button" aria-pressed={isSource} onClick={() => setSource(true)}>
                  HTML
                </button>
                <button type="button" aria-pressed={!isSource} onClick={() => setSource(false)}>
                  Page, without scripts and images
                </button>
              </div>
            </div>
            {isSource ? (
              <Source text={html} label="HTML" />
            ) : (
              <iframe class="frame" title="The captured page" sandbox="" src={`/admin/preview/${id}`} />
            )}
          </section>
        )}
        <section aria-label="Its Markdown">
          <MarkdownView markdown={markdown} />
        </section>
      </div>
    </>
  );
}
