import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface PageProps {
  readonly title: string;
  /** Next to the title: states and counts. */
  readonly beside?: ComponentChildren;
  /** At the end of the head: buttons, one of them primary. */
  readonly acts?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: its head, and what it shows. */
export function Page({ title, beside, acts, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Pergamon`;
  }, [title]);
  return (
    <>
      <header class="page">
        <h1>{title}</h1>
        {beside}
        <span class="grow" />
        {acts !== undefined && <div class="acts">{acts}</div>}
      </header>
      {children}
    </>
  );
}

interface PanelProps {
  readonly title?: string;
  readonly beside?: ComponentChildren;
  readonly label?: string;
  /** Where links within the screen lead to. */
  readonly id?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A framed part of a screen, named by its title or, without one, by its label. */
export function Panel({ title, beside, label, id, class: name = "", children }: PanelProps) {
  return (
    <section class={`panel ${name}`} aria-label={title ?? label} {...(id !== undefined && { id })}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          <span class="grow" />
          {beside}
        </header>
      )}
      {children}
    </section>
  );
}
