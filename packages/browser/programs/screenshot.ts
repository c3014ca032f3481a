/** Scrolls to the end and back, so that everything that loads on sight loads. Heights are CSS pixels. */
export async function showAll(maxHeight: number, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  const isLate = () => performance.now() > endMs;
  const root = document.scrollingElement ?? document.documentElement;
  const end = () => Math.min(root.scrollHeight, maxHeight) - innerHeight;
  for (let top = root.scrollTop; top < end() && !isLate();) {
    top = Math.min(top + innerHeight, end());
    root.scrollTo({ top, left: 0, behavior: "instant" });
    await nextFrame(endMs);
  }
  // What is drawn in answer to that comes into sight with the frame after it.
  await nextFrame(endMs);
  while (isLoadingImages() && !isLate()) await pause(50);
  root.scrollTo({ top: 0, left: 0, behavior: "instant" });
  await nextFrame(endMs);
  while (finishAnimations() > 0 && !isLate()) await nextFrame(endMs);
}

interface Moved {
  readonly style: CSSStyleDeclaration;
  readonly before: string;
}

/** What is moved, until it is put back. */
declare global {
  var moved: readonly Moved[] | undefined;
}

/**
 * Moves what is fixed to the lower half of the view to the end of a picture of the whole page, where it covers nothing, and
 * lets go of what sticks to the lower edge. What is at the top stays there.
 * @param height CSS pixels of the picture.
 */
export function placeFixedOnce(height: number): void {
  const changes: Moved[] = [];
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    const { position, bottom } = getComputedStyle(element);
    const isSticky = position === "sticky" && bottom !== "auto";
    if (!isSticky && (position !== "fixed" || element.getBoundingClientRect().top < innerHeight / 2))
      continue;
    changes.push({ style: element.style, before: element.style.cssText });
    if (isSticky) element.style.setProperty("position", "relative", "important");
    if (isSticky) element.style.setProperty("bottom", "auto", "important");
    else element.style.setProperty("translate", `0 ${height - innerHeight}px`, "important");
  }
  globalThis.moved = changes;
}

export function restoreFixed(): void {
  for (const { style, before } of globalThis.moved ?? []) style.cssText = before;
  globalThis.moved = undefined;
}

/** Ends animations and transitions that have an end, such as those that show what was scrolled to. Returns how many. */
function finishAnimations(): number {
  const running = document.getAnimations().filter(({ playState }) => playState === "running");
  return running.filter(finish).length;
}

function finish(animation: Animation): boolean {
  const { endTime } = animation.effect?.getComputedTiming() ?? {};
  if (typeof endTime !== "number" || !Number.isFinite(endTime) || animation.playbackRate <= 0) return false;
  animation.finish();
  return true;
}

/** Waits for the page's fonts, up to the limit. */
export async function fontsReady(limitMs: number): Promise<void> {
  await Promise.race([document.fonts.ready, pause(limitMs)]);
}

function isLoadingImages(): boolean {
  return [...document.images].some((image) => image.currentSrc !== "" && !image.complete);
}

/**
 * The next frame, with which those who watch what is in sight are told, and lazy images among it are asked for. It is
 * late on a busy machine; a page in the background draws none.
 */
function nextFrame(endMs: number): Promise<void> {
  return new Promise((resolve) => {
    const seen = new IntersectionObserver(goOn);
    const timer = setTimeout(goOn, document.hidden ? 100 : Math.max(100, endMs - performance.now()));
    seen.observe(document.documentElement);

    function goOn(): void {
      seen.disconnect();
      clearTimeout(timer);
      resolve();
    }
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
