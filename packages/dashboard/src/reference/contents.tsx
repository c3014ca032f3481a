import { useEffect, useRef } from "preact/hooks";

import { type Operation, type Part, PARTS, search } from "./document.ts";

interface ContentsProps {
  readonly operations: readonly Operation[];
  /** The part that is shown; undefined: the table of errors. */
  readonly part: Part | undefined;
  readonly selected: string;
  /** What is searched for; empty: nothing. */
  readonly words: string;
  readonly onSearch: (words: string) => void;
}

/** The list of all operations: a part at a time, or what a search finds in all of them. */
export function Contents({ operations, part, selected, words, onSearch }: ContentsProps) {
  const field = useSlash();
  const isSearch = words.trim() !== "";
  const found = isSearch
    ? search(operations, words)
    : operations.filter((one) => one.part === (part ?? "api"));
  const tags = [...new Set(found.map(({ tag }) => tag))];
  return (
    <nav class="contents" aria-label="Operations">
      <input
        ref={field}
        class="field"
        type="search"
        aria-label="Search operations"
        placeholder="Search  /"
        value={words}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      {!isSearch && <Parts operations={operations} part={part} />}
      <p class="unseen" role="status">
        {isSearch ? `${found.length} operations found` : ""}
      </p>
      {isSearch && found.length === 0 && <p class="help">No operation has these words.</p>}
      {tags.map((tag) => (
        <section key={tag}>
          <h2>{tag}</h2>
          <ul>
            {found
              .filter((one) => one.tag === tag)
              .map((one) => (
                <Entry key={one.line} operation={one} isSelected={one.line === selected} />
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface EntryProps {
  readonly operation: Operation;
  readonly isSelected: boolean;
}

function Entry({ operation: { line, method, summary }, isSelected }: EntryProps) {
  return (
    <li>
      <a href={hashOf(line)} {...(isSelected && { "aria-current": "page" as const })}>
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <span>{summary}</span>
      </a>
    </li>
  );
}

function Parts({ operations, part }: Pick<ContentsProps, "operations" | "part">) {
  return (
    <p class="chips">
      {(Object.keys(PARTS) as Part[]).map((each) => {
        const first = operations.find((operation) => operation.part === each);
        return (
          first && (
            <a
              key={each}
              class={each === part ? "chip on" : "chip"}
              href={hashOf(first.line)}
              {...(each === part && { "aria-current": "true" as const })}
            >
              {PARTS[each]}
            </a>
          )
        );
      })}
      <a
        class={part === undefined ? "chip on" : "chip"}
        href={ERRORS}
        {...(part === undefined && { "aria-current": "true" as const })}
      >
        Errors
      </a>
    </p>
  );
}

/** Where the table of errors is shown. */
export const ERRORS = "#errors";

/** `#POST/v2/scrape`. */
export function hashOf(line: string): string {
  return `#${line.replace(" ", "")}`;
}

/** `/` leads to the search from anywhere but a field. */
function useSlash() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea") !== null;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return field;
}
