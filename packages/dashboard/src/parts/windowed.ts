import { useEffect, useState } from "preact/hooks";

/** Rows drawn beyond what is seen, so that a quick scroll shows no gap. */
const MARGIN = 12;

export interface Windowed {
  /** Rows to draw: from `start` up to, but not including, `end`. */
  readonly start: number;
  readonly end: number;
  /** Pixels that stand for the rows above and below. */
  readonly above: number;
  readonly below: number;
}

/** Which rows of a long list are drawn; all have the same height. */
export function useWindow(
  scroller: { readonly current: HTMLElement | null },
  rows: number,
  rowHeight: number,
): Windowed {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(900);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => setHeight(element.clientHeight);
    // Only steps of some rows count: each draws the table again.
    const step = rowHeight * 4;
    const onScroll = () => setTop(Math.floor(element.scrollTop / step) * step);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
  const start = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const end = Math.min(rows, Math.ceil((top + height) / rowHeight) + MARGIN);
  return { start, end, above: start * rowHeight, below: (rows - end) * rowHeight };
}
