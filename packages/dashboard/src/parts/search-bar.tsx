import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { useDebounced } from "./debounced.ts";

interface SearchBarProps {
  readonly label: string;
  /** What is looked for at first. */
  readonly value?: string;
  /** Called when nothing has been typed for a moment. */
  readonly onSearch: (text: string) => void;
  /** What else narrows the list. */
  readonly children?: ComponentChildren;
}

/** Stands above a list and narrows it. */
export function SearchBar({ label, value = "", onSearch, children }: SearchBarProps) {
  const [typed, setTyped] = useState(value);
  const settled = useDebounced(typed.trim());
  useEffect(() => onSearch(settled), [settled]);
  return (
    <div class="filters" role="search">
      <input
        class="field"
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {children}
    </div>
  );
}
