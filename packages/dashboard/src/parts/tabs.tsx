import type { ComponentChildren } from "preact";

interface TabsProps {
  /** Id → what is on it. */
  readonly tabs: Readonly<Record<string, string>>;
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  /** What the tabs are of. */
  readonly label: string;
}

/** Where a key takes the selection: a step, or an end. */
const MOVES: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowRight: (index, length) => (index + 1) % length,
  ArrowLeft: (index, length) => (index + length - 1) % length,
  Home: () => 0,
  End: (_, length) => length - 1,
};

/** A row of tabs: one stop of the Tab key, arrow keys within. */
export function Tabs({ tabs, selected, onSelect, label }: TabsProps) {
  const ids = Object.keys(tabs);
  function move(event: KeyboardEvent): void {
    const next = MOVES[event.key]?.(ids.indexOf(selected), ids.length);
    const id = next === undefined ? undefined : ids[next];
    if (id === undefined || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    onSelect(id);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next ?? 0]?.focus();
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {ids.map((id) => (
        <button
          type="button"
          role="tab"
          key={id}
          id={`tab-${label}-${id}`.replaceAll(" ", "-")}
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {tabs[id]}
        </button>
      ))}
    </div>
  );
}

interface TabPanelProps {
  readonly label: string;
  readonly selected: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** What the selected tab shows; it can be scrolled by keyboard. */
export function TabPanel({ label, selected, class: name = "", children }: TabPanelProps) {
  return (
    <div
      class={name}
      role="tabpanel"
      tabIndex={0}
      aria-labelledby={`tab-${label}-${selected}`.replaceAll(" ", "-")}
    >
      {children}
    </div>
  );
}
