import { useEffect, useRef, useState } from "preact/hooks";

import { Contents, ERRORS, hashOf } from "./contents.tsx";
import { type Operation, operationsOf, type ServiceDocument } from "./document.ts";
import { Errors } from "./errors.tsx";
import { OperationView } from "./operation-view.tsx";

/** The reference: one operation at a time, named by the address, next to the list of all. */
export function Reader({ document }: { readonly document: ServiceDocument }) {
  const [operations] = useState(() => operationsOf(document));
  const hash = useHash();
  const [words, setWords] = useState("");
  const main = useRef<HTMLElement>(null);
  const selected = operationAt(hash, operations);
  useEffect(() => {
    if (hash === "") return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [hash]);
  useEffect(() => {
    globalThis.document.title = `${selected?.summary ?? "Errors"} · Pergamon reference`;
  }, [selected]);
  return (
    <>
      <header class="top">
        <a class="brand" href="/">
          Pergamon
        </a>
        <span class="dim">API reference</span>
        <nav class="row" aria-label="Elsewhere">
          <a class="link" href="/dashboard">
            Dashboard
          </a>
          <a class="link" href="/openapi.json">
            OpenAPI
          </a>
        </nav>
      </header>
      <div class="reader">
        <Contents
          operations={operations}
          part={selected?.part}
          selected={selected?.line ?? ""}
          words={words}
          onSearch={setWords}
        />
        <main ref={main} tabIndex={-1}>
          {selected ? (
            <OperationView key={selected.line} operation={selected} document={document} />
          ) : (
            <Errors document={document} />
          )}
        </main>
      </div>
    </>
  );
}

/** Undefined: the table of errors. An unknown address shows the first operation. */
function operationAt(hash: string, operations: readonly Operation[]): Operation | undefined {
  if (hash === ERRORS) return undefined;
  return operations.find(({ line }) => hashOf(line) === hash) ?? firstOf(operations);
}

function firstOf(operations: readonly Operation[]): Operation | undefined {
  return operations.find(({ line }) => line === "POST /v2/scrape") ?? operations[0];
}

function useHash(): string {
  const read = () => decodeURIComponent(location.hash);
  const [hash, setHash] = useState(read);
  useEffect(() => {
    const onChange = () => setHash(read());
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return hash;
}
