import { signal } from "@preact/signals";

import { Sign, type Tone } from "./badge.tsx";
import { messageOf } from "../client/ask.ts";
import { plainly } from "../format/foreign.ts";

/** How long a message stays. */
const SHOWN_MS = 6000;

interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly text: string;
}

const toasts = signal<readonly Toast[]>([]);

/** Tells the operator, for some seconds, how something ended. */
export function tell(tone: Tone, text: string): void {
  const id = performance.now() + Math.random();
  toasts.value = [...toasts.value, { id, tone, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }, SHOWN_MS);
}

/** Does what the operator asked for and tells how it ended: in the words that the work answers with, or why not. */
export async function act(work: () => Promise<string>): Promise<void> {
  try {
    tell("ok", await work());
  } catch (problem) {
    tell("bad", messageOf(problem));
  }
}

/** Where those messages appear. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text }) => (
        <div class="toast" key={id}>
          <Sign tone={tone} name={tone === "bad" ? "Failed" : "Done"} />
          <span class="foreign">{plainly(text)}</span>
        </div>
      ))}
    </div>
  );
}
