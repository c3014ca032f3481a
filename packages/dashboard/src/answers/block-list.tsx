import { useEffect, useRef } from "preact/hooks";

import type { DocumentBlock } from "@pergamon-dev/server/api/document-blocks";
import { colourOf } from "./block-colours.ts";

interface BlockListProps {
  readonly items: readonly DocumentBlock[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The texts of blocks in reading order, and what is known of the selected one. */
export function BlockList({ items, selected, onSelect, onKeyDown }: BlockListProps) {
  const list = useRef<HTMLDivElement>(null);
  const current = items.find(({ id }) => id === selected);
  useEffect(() => {
    list.current?.querySelector(`[data-block="${selected}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <div>
      <div class="more" aria-live="polite">
        {current ? (
          <Known block={current} />
        ) : (
          <span class="faint">Select a block, or move with the arrow keys.</span>
        )}
      </div>
      <div class="passages" role="group" aria-label="Text in reading order" ref={list} onKeyDown={onKeyDown}>
        {items.map((block) => (
          <button
            type="button"
            key={block.id}
            data-block={block.id}
            class={`passage foreign ${colourOf(block.type)}`}
            aria-pressed={block.id === selected}
            tabIndex={block.id === (selected ?? items[0]?.id) ? 0 : -1}
            onClick={() => onSelect(block.id)}
          >
            {block.content === "" ? `(${block.type} without text)` : block.content}
          </button>
        ))}
      </div>
    </div>
  );
}

function Known({ block }: { readonly block: DocumentBlock }) {
  const { layout, ocr } = block.confidence;
  const facts = [
    block.source,
    layout === null ? null : `layout ${layout.toFixed(2)}`,
    ocr === null ? null : `ocr ${ocr.toFixed(2)}`,
  ].filter((fact) => fact !== null);
  return (
    <>
      <span class="row tight">
        <span class="badge">{block.type}</span>
        <span class="mono">{block.id}</span>
      </span>
      <span class="faint">{facts.join(" · ")}</span>
    </>
  );
}
