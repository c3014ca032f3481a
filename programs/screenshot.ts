/** Scrolls to the end and back, so that everything that loads on sight loads. Heights are CSS pixels. */
export async function showAll(maxHeight: number, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  const isLate = () => performance.now() > endMs;
  const root = document.scrollingElement ?? document.documentElement;
  const end = () => Math.min(root.scrollHeight, maxHeight) - innerHeight;
  for (let top = root.scrollTop; top < end() && !isLate();) {
    top = Math.min(top + innerHeight, end());
    root.scrollTo({ top, left: 0, behavior: "instant" });
    await nextFrame();
  }
  // What comes into sight is asked for with the frame after the one that shows it.
  await nextFrame();
  while (isLoadingImages() && !isLate()) await pause(50);
  root.scrollTo({ top: 0, left: 0, behavior: "instant" });
  await nextFrame();
  while (finishAnimations() > 0 && !isLate()) await nextFrame();
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

/** The next frame, which is late on a busy machine; a page in the background draws none. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, document.hidden ? 100 : 1000);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      }, 0),
    );
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
