import { PLENTY_OF_TEXT } from "@pergamon-dev/html/selection/static-evidence";
import type { Capture } from "../capture.ts";
import type { Judged } from "./judge.ts";
import { textOfPage } from "./static-page.ts";

/**
 * Counts the characters that a reader gets from an HTML page: its main content as Markdown, including text
 * for visitors without scripts.
 * @throws the signal's reason, once `signal` is aborted.
 */
export type CountText = (capture: Capture, signal: AbortSignal) => Promise<number>;

/** Scripts have failed when they leave less than this share of the text in the server's page. */
const LEFT_TEXT = 1 / 3;

/** Whether scripts removed most of the text in the server's page without replacing it. */
export async function hasLostText(
  before: Judged,
  after: Judged,
  countText: CountText,
  signal: AbortSignal,
): Promise<boolean> {
  const isSamePage = addressOf(after) === addressOf(before);
  if (!isSamePage || !before.isPage || before.isBlocked || after.isBlocked) return false;
  if (textOfPage(after.capture) >= PLENTY_OF_TEXT) return false;
  const left = await countText(after.capture, signal);
  return left < LEFT_TEXT * (await countText(before.capture, signal));
}

/** Status and URL without fragment. Equal for two captures of the same page. */
function addressOf({ capture }: Judged): string {
  return `${capture.statusCode} ${capture.url.split("#", 1)[0]}`;
}
