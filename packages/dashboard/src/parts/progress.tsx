import { unanswered } from "../client/ask.ts";

/** A bar at the top of the page while the service owes an answer. What comes within 150 ms shows none. */
export function Progress() {
  return unanswered.value > 0 ? <div class="progress" aria-hidden="true" /> : null;
}
