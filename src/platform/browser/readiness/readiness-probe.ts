/** Name of the isolated world of our scripts: pages cannot see what is in it. */
export const PROBE_WORLD = "pergamon";

/**
 * What runs inside the page. Once the document is parsed, it measures text, structure and signs of loading whenever the DOM has changed, seldom
 * enough to cost a fifteenth of the time at most.
 *
 * `probe.next()` resolves with the next report (JSON of PageReport and `isParsed`) that differs from the one before.
 * `probe.confirm()` lets the page's overdue timers and two frames go by, and resolves to whether nothing changed.
 *
 * NOTE: text, not a function, because a bundler would add names that do not exist in the page.
 */
export const PROBE = `
globalThis.probe ??= (() => {
  const MARKERS = '[aria-busy="true"],[role="progressbar"],[class*="skeleton" i],[class*="spinner" i],[class*="loading" i],[class*="loader" i],[class*="shimmer" i],[class*="placeholder-glow" i]';
  const SILENT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "svg", "IFRAME"]);
  const FRAME = new Set(["NAV", "HEADER", "FOOTER", "ASIDE"]);
  const observed = new WeakSet();
  let waiting, queued, last = "", changes = 0, costMs = 0, ranAt = -1000, timer;

  const publish = (text) => {
    if (!waiting) { queued = text; return; }
    waiting(text);
    waiting = undefined;
  };
  const observe = (root) => {
    if (observed.has(root)) return;
    observed.add(root);
    new MutationObserver(schedule).observe(root, { childList: true, subtree: true, characterData: true });
  };
  const count = (root, sums, isFrame) => {
    for (let node = root.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) sums[isFrame ? "otherText" : "mainText"] += node.data.trim().length;
      if (node.nodeType !== 1 || SILENT.has(node.tagName)) continue;
      sums.elements += 1;
      const inFrame = isFrame || FRAME.has(node.tagName);
      const shadow = node.shadowRoot;
      if (shadow) { observe(shadow); count(shadow, sums, inFrame); }
      count(node, sums, inFrame);
    }
  };
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.textContent.length < 400 && getComputedStyle(element).visibility !== "hidden";
  };
  const markers = () => {
    let shown = 0;
    for (const element of document.body?.querySelectorAll(MARKERS) ?? []) if (shown < 3 && isShown(element)) shown += 1;
    return shown;
  };
  const measure = () => {
    clearTimeout(timer);
    timer = undefined;
    const startedAt = performance.now();
    const sums = { mainText: 0, otherText: 0, elements: 0 };
    if (document.body) count(document.body, sums, false);
    const report = {
      ...sums,
      loadingMarkers: markers(),
      scripts: document.scripts.length,
      height: document.documentElement?.scrollHeight ?? 0,
      isParsed: document.readyState !== "loading",
    };
    ranAt = performance.now();
    costMs = ranAt - startedAt;
    const text = JSON.stringify(report);
    if (text === last) return;
    last = text;
    changes += 1;
    publish(text);
  };
  function schedule() {
    // Layout would be made again with every part that comes.
    if (timer || document.readyState === "loading") return;
    const pause = Math.min(Math.max(60, costMs * 15), 1000) - (performance.now() - ranAt);
    timer = setTimeout(measure, Math.max(0, pause));
  }
  const frames = () => new Promise((resolve) => {
    setTimeout(resolve, 50);
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });

  observe(document);
  document.addEventListener("readystatechange", measure);
  schedule();
  return {
    next: () => new Promise((resolve) => {
      if (queued) { resolve(queued); queued = undefined; } else waiting = resolve;
    }),
    confirm: async (withFrames) => {
      const before = changes;
      await new Promise((resolve) => setTimeout(() => setTimeout(resolve, 0), 0));
      measure();
      if (changes === before && withFrames) { await frames(); measure(); }
      return changes === before;
    },
  };
})();
`;
