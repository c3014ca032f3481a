import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { isWebAddress, LeaveDialog } from "./foreign-link.tsx";
import { Source } from "./source.tsx";

/** More is not rendered: the source shows it. */
const RENDERED_CHARACTERS = 200_000;

/** Markdown as it reads, or as it is written. */
export function MarkdownView({ markdown }: { readonly markdown: string }) {
  const [isSource, setSource] = useState(false);
  return (
    <>
      <div class="more">
        <div class="tabs" role="group" aria-label="Show Markdown">
          <button type="button" aria-pressed={!isSource} onClick={() => setSource(false)}>
            Rendered
          </button>
          <button type="button" aria-pressed={isSource} onClick={() => setSource(true)}>
            Source
          </button>
        </div>
      </div>
      {isSource ? <Source text={markdown} label="Markdown" /> : <Rendered markdown={markdown} />}
    </>
  );
}

function Rendered({ markdown }: { readonly markdown: string }) {
  const [shown, setShown] = useState<ComponentChildren>(null);
  const [target, setTarget] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    async function render(): Promise<void> {
      const { renderMarkdown } = await import("./rendered-markdown.tsx");
      if (!isGone) setShown(renderMarkdown(markdown.slice(0, RENDERED_CHARACTERS)));
    }
    void render();
    return () => {
      isGone = true;
    };
  }, [markdown]);
  function ask(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    const href = link.getAttribute("href") ?? "";
    if (isWebAddress(href)) setTarget(href);
  }
  return (
    <>
      <div class="paper-text foreign" dir="auto" onClickCapture={ask}>
        {shown}
      </div>
      {markdown.length > RENDERED_CHARACTERS && (
        <p class="more help">The rest is too long to be rendered here. The source shows the complete text.</p>
      )}
      {target !== undefined && <LeaveDialog url={target} onClose={() => setTarget(undefined)} />}
    </>
  );
}
