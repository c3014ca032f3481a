/** Elements of a page that are looked at, shadow roots included. The rest looks like those, and time is short. */
export const LARGEST_PAGE = 1500;

/**
 * JavaScript that collects `BrandEvidence` in the page in one pass, without changing it. Frames, and what floats above
 * the page (consent notices, chats), are not the page's own look. Names of classes tell nothing.
 */
export const COLLECT_BRAND = `(largest) => {
  const W = innerWidth;
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (text) => {
    if (known.has(text)) return known.get(text);
    const plain = /^rgba?\\(([\\d.]+), ([\\d.]+), ([\\d.]+)(?:, ([\\d.]+))?\\)$/.exec(text);
    let color;
    if (plain) color = [Number(plain[1]), Number(plain[2]), Number(plain[3]), plain[4] === undefined ? 1 : Number(plain[4])];
    else if (canvas && text && text !== "none") {
      canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = "#000"; canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      color = [r, g, b, a / 255];
    } else color = [0, 0, 0, 0];
    known.set(text, color);
    return color;
  };
  const hex = ([r, g, b]) => "#" + [r, g, b].map((v) => Math.round(v).toString(16).padStart(2, "0")).join("").toUpperCase();
  const over = (color, behind) => { const a = color[3]; return [0, 1, 2].map((i) => color[i] * a + behind[i] * (1 - a)).concat(1); };
  const chroma = ([r, g, b]) => (Math.max(r, g, b) - Math.min(r, g, b)) / 255;
  const sums = new Map();
  const add = (list, key, item, weightName, weight) => {
    const id = list + "\\n" + key, found = sums.get(id);
    if (found) found.item[weightName] += weight; else sums.set(id, { list, item: { ...item, [weightName]: weight } });
  };
  const listed = (list, most) => [...sums.values()].filter((sum) => sum.list === list).map((sum) => sum.item).slice(0, most);
  const absolute = (url) => { try { return url ? new URL(url, document.baseURI).href : undefined; } catch { return undefined; } };
  const isHome = (link) => { if (!link || !link.href) return false; const url = new URL(link.href, document.baseURI); return url.origin === location.origin && url.pathname.length <= 4; };
  const header = document.querySelector("header, [role=banner]") ?? [...(document.body?.children ?? [])].find((e) => { const r = e.getBoundingClientRect(); return r.height > 0 && r.top + scrollY < 5 && r.height < 200 && r.width > W * 0.8; });
  const footer = [...document.querySelectorAll("footer, [role=contentinfo]")].at(-1);
  const bodyLetters = document.body?.textContent?.length ?? 0;
  const floats = (e, style, box) => {
    const floating = style.position === "fixed" || (style.position === "sticky" && style.bottom !== "auto" && style.top === "auto") || /^(dialog|alertdialog)$/.test(e.getAttribute("role") ?? "") || e.getAttribute("aria-modal") === "true";
    if (!floating || (e.textContent ?? "").length > bodyLetters / 2) return false;
    const isHeader = box.top <= 8 && box.width >= W * 0.8 && box.height <= 200 && (e === header || e.contains(header) || e.querySelector("nav") !== null);
    return !isHeader;
  };
  const rootStyles = [document.documentElement, document.body].filter(Boolean).map((e) => getComputedStyle(e));
  const rootPaint = rootStyles.map((s) => rgba(s.backgroundColor)).filter((c) => c[3] > 0.05).at(-1) ?? gradientOf(rootStyles.at(-1));
  function gradientOf(style) {
    if (!style || !style.backgroundImage.includes("gradient(")) return undefined;
    const stop = /(?:rgba?|oklch|oklab|lab|lch|hsla?|color)\\([^()]*\\)/.exec(style.backgroundImage.slice(style.backgroundImage.indexOf("gradient(")))?.[0];
    const color = stop && rgba(stop);
    return color && color[3] > 0.5 ? color : undefined;
  }
  const base = rootPaint ? over(rootPaint, [255, 255, 255, 1]) : /\\bdark\\b/.test(rootStyles[0]?.colorScheme ?? "") && !/light/.test(rootStyles[0].colorScheme) ? [18, 18, 18, 1] : [255, 255, 255, 1];
  const buttons = [], inputs = [], logos = [], grids = [];
  const USES = { H1: "h1", H2: "h2", H3: "h3", P: "prose", LI: "prose", TD: "prose", BLOCKQUOTE: "prose", CODE: "code", PRE: "code", KBD: "code", SAMP: "code" };
  const SKIPPED = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|IFRAME|OBJECT|EMBED|HEAD|LINK|META|OPTION)$/;
  const lookAtPicture = (e, style, box, inHeader) => {
    const isSvg = e.tagName.toLowerCase() === "svg";
    const painted = /url\\("([^"]+)"\\)/.exec(style.backgroundImage)?.[1];
    const isPicture = isSvg || e.tagName === "IMG" || (painted && inHeader && (e.textContent ?? "").trim().length < 40);
    const top = box.top + scrollY;
    if (!isPicture || top > 1000 || box.width < 8 || box.height < 8 || box.width > 900 || logos.length >= 40) return;
    let url;
    if (isSvg) { const copy = e.outerHTML; if (copy.length < 50000) url = "data:image/svg+xml," + encodeURIComponent(copy.includes("xmlns=") ? copy : copy.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')); }
    else url = absolute(e.currentSrc || e.getAttribute("src") || painted);
    if (!url) return;
    const link = e.closest("a[href]");
    const alt = (e.getAttribute("alt") ?? e.getAttribute("aria-label") ?? e.querySelector("title")?.textContent ?? link?.getAttribute("aria-label") ?? "").trim().slice(0, 200);
    logos.push({ url, alt, isInHeader: inHeader, linksHome: isHome(link), top, width: box.width });
  };
  const stack = document.body ? [[document.body, base, false, undefined]] : [];
  let seen = 0;
  while (stack.length > 0 && seen < largest) {
    const [e, behind, inHeader, parentColor] = stack.pop();
    if (SKIPPED.test(e.tagName)) continue;
    seen += 1;
    const s = getComputedStyle(e);
    if (s.display === "none" || Number(s.opacity) < 0.1) continue;
    const box = e.getBoundingClientRect();
    if (e !== document.body && floats(e, s, box)) continue;
    const within = inHeader || e === header;
    const isSeen = box.width > 0 && box.height > 0 && s.visibility === "visible" && box.right > 0 && box.left < W;
    const isSvg = e.tagName.toLowerCase() === "svg";
    let ground = behind, own, gradient;
    if (isSeen) {
      const plain = rgba(s.backgroundColor);
      gradient = plain[3] > 0.05 ? undefined : gradientOf(s);
      own = plain[3] > 0.05 ? over(plain, behind) : gradient && over(gradient, behind);
      if (own) ground = own;
      lookAtPicture(e, s, box, within);
    }
    if (isSeen && !isSvg) {
      const tag = e.tagName, use = USES[tag] ?? "other";
      if (own) add("surfaces", hex(own) + use, { color: hex(own), kind: gradient ? "gradient" : "color", isCode: use === "code" }, "area", Math.round(box.width * Math.min(box.height, 4000)));
      const isInline = s.display === "inline";
      if (!isInline) for (const name of ["paddingTop", "paddingLeft", "marginTop", "marginBottom", "rowGap", "columnGap"]) {
        const value = parseFloat(s[name]);
        if (value > 1 && value < 129 && value % 1 === 0) add("distances", value, { value }, "weight", 1);
      }
      if (s.display.endsWith("grid")) { const columns = s.gridTemplateColumns.split(" ").length; if (columns > 1 && grids.length < 50) grids.push({ columns, gap: s.columnGap }); }
      if (!isInline && box.width >= 480 && s.maxWidth.endsWith("px") && parseFloat(s.maxWidth) >= 480) add("contentWidths", s.maxWidth, { value: s.maxWidth }, "weight", Math.round(box.height));
      let letters = 0;
      for (const child of e.childNodes) if (child.nodeType === 3 && /[\\p{L}\\p{N}]/u.test(child.data)) letters += child.data.trim().length;
      const type = (e.getAttribute("type") ?? "").toLowerCase();
      const isClickable = tag === "BUTTON" || (tag === "A" && e.href) || (tag === "INPUT" && /^(button|submit)$/.test(type)) || e.getAttribute("role") === "button";
      const color = letters > 0 || isClickable ? over(rgba(s.color), ground) : ground;
      const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(tag);
      const edge = !isClickable && !isField ? undefined : parseFloat(s.borderTopWidth) > 0 && s.borderTopStyle !== "none" ? rgba(s.borderTopColor) : undefined;
      const border = edge && edge[3] > 0.05 ? hex(over(edge, ground)) : undefined;
      const words = isClickable ? (e.textContent || e.value || "").trim().length : 0;
      if (isClickable && words > 0 && words < 40 && box.height >= 24 && box.width < 420 && parseFloat(s.paddingLeft) >= 8 && (own || border)) {
        if (buttons.length < 100) buttons.push({ ...(own && { background: hex(own) }), textColor: hex(color), ...(border && { borderColor: border }), borderRadius: s.borderTopLeftRadius, top: box.top + scrollY, area: box.width * box.height, transitionDuration: s.transitionDuration, easing: s.transitionTimingFunction });
      } else if (isField && !/^(hidden|checkbox|radio|submit|button|range|file|image|color)$/.test(type)) {
        if (inputs.length < 20) inputs.push({ ...(border && { borderColor: border }), borderRadius: s.borderTopLeftRadius });
      } else if (letters > 0) {
        if (own && use === "other" && tag !== "A" && letters < 25 && box.height < 40 && chroma(own) > 0.2) add("badges", hex(own), { value: hex(own) }, "weight", 1);
        else {
          const shown = hex(color);
          const isLink = tag === "A" && e.href;
          const isTold = isLink && !e.closest("header, nav, footer") && parentColor !== shown;
          const finalUse = isTold ? "link" : isLink ? "chrome-link" : use;
          const text = { use: finalUse, color: shown, background: hex(ground), family: s.fontFamily, size: s.fontSize, weight: Number(s.fontWeight), ...(s.lineHeight.endsWith("px") && { lineHeight: parseFloat(s.lineHeight) }) };
          add("texts", Object.values(text).join("|"), text, "letters", letters);
        }
      }
    }
    if (isSvg) continue;
    const children = e.shadowRoot ? [...e.shadowRoot.children, ...e.children] : e.children;
    const color = isSeen && children.length > 0 ? hex(over(rgba(s.color), ground)) : parentColor;
    for (let at = children.length - 1; at >= 0; at -= 1) stack.push([children[at], ground, within, color]);
  }
  const meta = (name) => document.querySelector('meta[property="' + name + '"], meta[name="' + name + '"]')?.getAttribute("content")?.trim() || undefined;
  const heightOf = (e) => { const height = e ? Math.round(e.getBoundingClientRect().height) : 0; return height > 0 ? height : undefined; };
  const icon = document.querySelector("link[rel~=icon]") ?? document.querySelector("link[rel=apple-touch-icon]");
  return {
    viewport: { width: W, height: innerHeight },
    pageHeight: document.documentElement.scrollHeight,
    rootColor: rootPaint && hex(base),
    surfaces: listed("surfaces", 200), texts: listed("texts", 500), badges: listed("badges", 50),
    distances: listed("distances", 200), contentWidths: listed("contentWidths", 50),
    buttons, inputs, grids, logos,
    headerHeight: heightOf(header), footerHeight: heightOf(footer),
    favicon: absolute(icon?.getAttribute("href")), socialImage: absolute(meta("og:image") ?? meta("twitter:image")), siteName: meta("og:site_name"),
  };
}`;
