import { useState } from "preact/hooks";

import type { DocumentBlock, DocumentPageBlocks } from "@pergamon-dev/server/api/document-blocks";
import { colourOf } from "./block-colours.ts";

/** What is known of a page once its picture was asked for. */
interface Drawn {
  readonly pageNumber: number;
  /** Width to height, as of the picture. */
  readonly shape: string | undefined;
  readonly isMissing: boolean;
}

interface SheetProps {
  readonly page: Pick<DocumentPageBlocks, "pageNumber" | "width" | "height">;
  readonly items: readonly Pick<DocumentBlock, "id" | "type" | "bbox">[];
  readonly id: string | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The page as a picture, as long as the service has its file, with a box for each block. */
export function BlockSheet({ page, items, id, selected, onSelect, onKeyDown }: SheetProps) {
  const { width, height, pageNumber } = page;
  const told = width === null || height === null ? "17 / 22" : `${width} / ${height}`;
  const [drawn, setDrawn] = useState<Drawn>({ pageNumber, shape: undefined, isMissing: id === undefined });
  const { shape = told, isMissing } =
    drawn.pageNumber === pageNumber ? drawn : { isMissing: id === undefined };
  return (
    <div
      class="sheet"
      role="group"
      aria-label={`Page ${pageNumber}`}
      style={{ aspectRatio: shape }}
      onKeyDown={onKeyDown}
    >
      {isMissing ? (
        <span class="undrawn">Only outlines: the document of this request is not stored.</span>
      ) : (
        <img
          key={pageNumber}
          src={`/admin/api/requests/${id}/pages/${pageNumber}.png`}
          alt=""
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setDrawn({ pageNumber, shape: `${naturalWidth} / ${naturalHeight}`, isMissing: false })
          }
          onError={() => setDrawn({ pageNumber, shape: undefined, isMissing: true })}
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
