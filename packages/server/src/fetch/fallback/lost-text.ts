import { PLENTY_OF_TEXT } from "@pergamon-dev/html/selection/static-evidence";
import type { Capture } from "../capture.ts";
import type { Judged } from "./judge.ts";
import { textOfPage } from "./static-page.ts";

/**
 * Length of what a reader gets of an HTML page: its main content as Markdown, with what the page holds for visitors
 * without scripts.
 * @throws the signal's reason, once `signal` is aborted.
 */
export type CountText = (capture: Capture, signal: AbortSignal) => Promise<number>;

/** Scripts that leave less than this share of what the server's page says have failed. */
const LEFT_TEXT = 1 / 3;

/** Whether scripts took away most of what the server's page says, and put nothing in its place. */
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

/** Status and URL without fragment: whether two captures are of the same page. */
function addressOf({ capture }: Judged): string {
  return `${capture.statusCode} ${capture.url.split("#", 1)[0]}`;
}
