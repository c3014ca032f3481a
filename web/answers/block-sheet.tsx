import { useState } from "preact/hooks";

import type { DocumentBlock, DocumentPageBlocks } from "../../src/contract/document-blocks.ts";
import { colourOf } from "./block-colours.ts";

interface SheetProps {
  readonly page: DocumentPageBlocks;
  readonly items: readonly DocumentBlock[];
  readonly id: string | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The page as a picture, where one was drawn, with a box for each block. */
export function BlockSheet({ page, items, id, selected, onSelect, onKeyDown }: SheetProps) {
  const [isBlank, setBlank] = useState(false);
  const { width, height, pageNumber } = page;
  const shape = width === null || height === null ? "17 / 22" : `${width} / ${height}`;
  return (
    <div
      class="sheet"
      role="group"
      aria-label={`Page ${pageNumber}`}
      style={{ aspectRatio: shape }}
      onKeyDown={onKeyDown}
    >
      {id !== undefined && !isBlank && (
        <img
          src={`/admin/api/requests/${id}/pages/${pageNumber}.png`}
          alt=""
          onError={() => setBlank(true)}
        />
      )}
      {items.map((block) => {
        if (!block.bbox) return null;
        const [left, top, right, bottom] = block.bbox.map((share) => 100 * share) as [
          number,
          number,
          number,
          number,
        ];
        return (
          <button
            type="button"
            key={block.id}
            data-block={block.id}
            class={`block ${colourOf(block.type)}`}
            style={{
              left: `${left}%`,
              top: `${top}%`,
              width: `${right - left}%`,
              height: `${bottom - top}%`,
            }}
            aria-pressed={block.id === selected}
            aria-label={`${block.type} ${block.id}`}
            tabIndex={block.id === (selected ?? items[0]?.id) ? 0 : -1}
            onClick={() => onSelect(block.id)}
          >
            <span>{block.type}</span>
          </button>
        );
      })}
    </div>
  );
}
