import { useState } from "preact/hooks";

import type { DocumentBlock, DocumentPageBlocks } from "@pergamon-dev/server/api/document-blocks";
import { plural } from "../format/numbers.ts";
import { BlockList } from "./block-list.tsx";
import { BlockSheet } from "./block-sheet.tsx";

interface BlocksViewProps {
  readonly pages: readonly DocumentPageBlocks[];
  /** Of the scrape; without one there is no picture of the page. */
  readonly id: string | undefined;
}

/** Where a walk by arrow keys goes. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The blocks of a document: boxes on the page and their texts, each showing the other. */
export function BlocksView({ pages, id }: BlocksViewProps) {
  const [pageIndex, setPageIndex] = useState(0);
  const [type, setType] = useState("");
  const [selected, setSelected] = useState<string | undefined>(undefined);
  const page = pages[pageIndex];
  if (!page) return <p class="more help">No pages were parsed.</p>;
  const items = page.items.filter((block) => isWanted(block, type));

  function turn(step: number): void {
    setPageIndex(Math.min(pages.length - 1, Math.max(0, pageIndex + step)));
    setSelected(undefined);
  }
  function walk(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined || items.length === 0) return;
    event.preventDefault();
    const at = items.findIndex((block) => block.id === selected);
    const next = items[Math.min(items.length - 1, Math.max(0, at + step))];
    setSelected(next?.id);
    const focused = event.currentTarget instanceof Element ? event.currentTarget : undefined;
    focused?.querySelector<HTMLElement>(`[data-block="${next?.id}"]`)?.focus();
  }
  return (
    <>
      <div class="more">
        <PageTurner index={pageIndex} pages={pages} onTurn={turn} />
        <span class="row tight">
          <span class="faint">{blockCount(page.items)}</span>
          <TypeFilter items={page.items} value={type} onChange={setType} />
        </span>
      </div>
      <div class="boxes">
        <div>
          <BlockSheet
            page={page}
            items={items}
            id={id}
            selected={selected}
            onSelect={setSelected}
            onKeyDown={walk}
          />
        </div>
        <BlockList items={items} selected={selected} onSelect={setSelected} onKeyDown={walk} />
      </div>
    </>
  );
}

interface PageTurnerProps {
  readonly index: number;
  readonly pages: readonly DocumentPageBlocks[];
  readonly onTurn: (step: number) => void;
}

function PageTurner({ index, pages, onTurn }: PageTurnerProps) {
  const isLast = index === pages.length - 1;
  return (
    <span class="row tight">
      <button
        type="button"
        class="btn small"
        aria-label="Previous page"
        disabled={index === 0}
        onClick={() => onTurn(-1)}
      >
        ‹
      </button>
      <span class="dim">
        Page {pages[index]?.pageNumber} of {pages.length}
      </span>
      <button
        type="button"
        class="btn small"
        aria-label="Next page"
        disabled={isLast}
        onClick={() => onTurn(1)}
      >
        ›
      </button>
    </span>
  );
}

interface TypeFilterProps {
  readonly items: readonly DocumentBlock[];
  readonly value: string;
  readonly onChange: (type: string) => void;
}

function TypeFilter({ items, value, onChange }: TypeFilterProps) {
  const types = [...new Set(items.map((block) => block.type))].toSorted();
  return (
    <select
      class="chip"
      aria-label="Blocks to show"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">All blocks</option>
      {items.some(isRecognised) && <option value="recognised">Recognised by OCR</option>}
      {types.map((type) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
    </select>
  );
}

function isWanted(block: DocumentBlock, type: string): boolean {
  return type === "" || block.type === type || (type === "recognised" && isRecognised(block));
}

function isRecognised({ source, confidence }: DocumentBlock): boolean {
  return confidence.ocr !== null || (source !== null && /ocr|tesseract/.test(source));
}

function blockCount(items: readonly DocumentBlock[]): string {
  const recognised = items.filter(isRecognised).length;
  return plural(items.length, "block") + (recognised > 0 ? `, ${recognised} recognised by OCR` : "");
}
