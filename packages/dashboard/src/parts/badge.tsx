import type { ComponentChildren } from "preact";

import { plainly } from "../format/foreign.ts";

/** What a state means → its sign, so that it never depends on colour alone. */
const SIGNS = { ok: "✓", warn: "!", bad: "✕", info: "i", accent: "•" } as const;

export type Tone = keyof typeof SIGNS;

interface BadgeProps {
  readonly tone: Tone;
  readonly children: ComponentChildren;
  readonly title?: string;
}

/** A state in a word or two, with its sign. */
export function Badge({ tone, children, title }: BadgeProps) {
  return (
    <span class={`badge ${tone}`} {...(title !== undefined && { title })}>
      <span aria-hidden="true">{SIGNS[tone]}</span>
      <span class="foreign">{typeof children === "string" ? plainly(children) : children}</span>
    </span>
  );
}

/** The sign alone, where words are next to it; `name` is for who cannot see it. */
export function Sign({ tone, name }: { readonly tone: Tone; readonly name: string }) {
  return (
    <span class={`badge sign ${tone}`} role="img" aria-label={name}>
      {SIGNS[tone]}
    </span>
  );
}
