import { callInPage } from "./page-script.ts";
import type { BrowserTab } from "./tab.ts";

/** How a page looks, as its browser computed it: what a brand is read from. Colours are CSS colours, sizes CSS lengths. */
export interface StyleEvidence {
  readonly viewport: { readonly width: number; readonly height: number };
  /** Of the root element, such as `light dark`. */
  readonly colorScheme: string;
  /** Custom properties of the root element that hold a colour, a font or a length. */
  readonly variables: Readonly<Record<string, string>>;
  /** Samples of what brands style on purpose, in document order, those of one role together. */
  readonly elements: readonly StyledElement[];
  /** By falling weight. The weight of a text colour and of a font is the letters in it, that of a background its area. */
  readonly textColors: readonly Weighted[];
  readonly backgroundColors: readonly Weighted[];
  readonly fonts: readonly Weighted[];
  /** Pictures that may be the logo, the likeliest first. */
  readonly logos: readonly LogoCandidate[];
}

export interface Weighted {
  readonly value: string;
  readonly weight: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type StyledRole =
  | "body"
  | "h1"
  | "h2"
  | "h3"
  | "text"
  | "link"
  | "button"
  | "input"
  | "code"
  | "header"
  | "footer"
  | "main";

export interface StyledElement {
  readonly role: StyledRole;
  /** Its own words, cut short. */
  readonly text: string;
  readonly names: string;
  readonly box: Box;
  /** Computed values by CSS property. */
  readonly style: Readonly<Record<string, string>>;
}

export interface LogoCandidate {
  /** Absolute; undefined for a drawing inside the page. */
  readonly url?: string;
  /** Source of a drawing inside the page. */
  readonly svg?: string;
  readonly alt: string;
  readonly box: Box;
  readonly isInHeader: boolean;
  /** Where a click on it leads; absolute. */
  readonly linksTo?: string;
  /** Its own names and those of the elements around it. */
  readonly names: string;
}

const PROPERTIES = [
  "color",
  "background-color",
  "background-image",
  "font-family",
  "font-size",
  "font-weight",
  "line-height",
  "letter-spacing",
  "text-transform",
  "border-radius",
  "border-top-color",
  "border-top-width",
  "box-shadow",
  "padding",
  "margin",
  "gap",
  "max-width",
  "display",
  "grid-template-columns",
  "transition-duration",
  "transition-timing-function",
];

/** Elements per role that are looked at, and elements of the page altogether. */
const SAMPLES = 12;
const LARGEST_PAGE = 5_000;

const COLLECT = `(properties, samples, largest) => {
  const boxOf = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const round = (value) => Math.round(value * 10) / 10;
    return { x: round(x + scrollX), y: round(y + scrollY), width: round(width), height: round(height) };
  };
  const namesOf = (element) => (element.id + " " + (element.getAttribute("class") ?? "")).trim().slice(0, 200);
  const isSeen = (element, style) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && style.visibility === "visible" && Number(style.opacity) > 0;
  };
  const wordsOf = (element) => (element.innerText ?? element.value ?? "").trim().replace(/\\s+/g, " ").slice(0, 80);
  const ROLES = {
    body: "body", h1: "h1", h2: "h2", h3: "h3", text: "main p, article p, p", link: "main a[href], a[href]",
    button: "button, [role=button], input[type=submit], a[class*=btn i], a[class*=button i]",
    input: "input:not([type=hidden]):not([type=submit]):not([type=checkbox]):not([type=radio]), textarea, select",
    code: "code, pre, kbd", header: "header, [role=banner]", footer: "footer, [role=contentinfo]",
    main: "main, [role=main], article, [class*=container i]",
  };
  const elements = [];
  for (const [role, selector] of Object.entries(ROLES)) {
    let taken = 0;
    for (const element of document.querySelectorAll(selector)) {
      const style = getComputedStyle(element);
      if (!isSeen(element, style)) continue;
      elements.push({
        role, text: wordsOf(element), names: namesOf(element), box: boxOf(element),
        style: Object.fromEntries(properties.map((name) => [name, style.getPropertyValue(name)])),
      });
      taken += 1;
      if (taken === samples) break;
    }
  }
  const sums = { textColors: new Map(), backgroundColors: new Map(), fonts: new Map() };
  const add = (name, value, weight) => sums[name].set(value, (sums[name].get(value) ?? 0) + weight);
  for (const element of [...(document.body?.querySelectorAll("*") ?? [])].slice(0, largest)) {
    const style = getComputedStyle(element);
    if (!isSeen(element, style)) continue;
    let letters = 0;
    for (const child of element.childNodes) if (child.nodeType === 3) letters += child.data.trim().length;
    if (letters > 0) { add("textColors", style.color, letters); add("fonts", style.fontFamily, letters); }
    const { width, height } = element.getBoundingClientRect();
    const isClear = /^rgba\\(.*, 0\\)$|transparent/.test(style.backgroundColor);
    if (!isClear) add("backgroundColors", style.backgroundColor, Math.round(width * Math.min(height, 10000)));
  }
  const heaviest = (map) => [...map].map(([value, weight]) => ({ value, weight }))
    .sort((a, b) => b.weight - a.weight).slice(0, 20);
  const variables = {};
  const rootStyle = getComputedStyle(document.documentElement);
  const rules = [...document.styleSheets].flatMap((sheet) => { try { return [...sheet.cssRules]; } catch { return []; } });
  for (const rule of rules.slice(0, 5000)) {
    if (!/^(:root|html|body)\\b/.test(rule.selectorText ?? "")) continue;
    for (const name of rule.style) {
      if (!name.startsWith("--") || Object.keys(variables).length >= 200) continue;
      const value = rootStyle.getPropertyValue(name).trim();
      if (value && value.length < 200) variables[name] = value;
    }
  }
  const logos = [];
  for (const picture of document.querySelectorAll("img, svg, [class*=logo i]")) {
    const style = getComputedStyle(picture);
    const box = boxOf(picture);
    if (!isSeen(picture, style) || box.y > 1500 || box.width > 900) continue;
    const link = picture.closest("a[href]");
    const around = [];
    for (let e = picture; e && around.length < 5; e = e.parentElement) around.push(namesOf(e));
    const background = /url\\("([^"]+)"\\)/.exec(style.backgroundImage)?.[1];
    const url = picture.currentSrc || (picture.tagName === "IMG" ? picture.src : undefined) || background;
    const svg = picture.tagName.toLowerCase() === "svg" ? picture.outerHTML : undefined;
    if ((!url && !svg) || (svg && svg.length > 50000)) continue;
    const alt = picture.getAttribute("alt") ?? picture.getAttribute("aria-label") ?? picture.querySelector?.("title")?.textContent ?? "";
    const isInHeader = picture.closest("header, nav, [role=banner], [class*=header i], [class*=navbar i]") !== null;
    const names = around.join(" ").trim().slice(0, 400);
    const home = link && new URL(link.href).origin === location.origin && new URL(link.href).pathname.length < 4;
    const score = (isInHeader ? 4 : 0) + (/logo|brand/i.test(names + " " + (url ?? "") + " " + alt) ? 4 : 0) +
      (home ? 3 : 0) + (box.y < 200 ? 2 : 0) - (box.width < 16 ? 3 : 0);
    logos.push({ score, ...(url && { url }), ...(svg && { svg }), alt: alt.trim().slice(0, 200), box, isInHeader,
      ...(link && { linksTo: link.href }), names });
  }
  logos.sort((a, b) => b.score - a.score);
  return {
    viewport: { width: innerWidth, height: innerHeight },
    colorScheme: rootStyle.colorScheme,
    variables,
    elements,
    textColors: heaviest(sums.textColors),
    backgroundColors: heaviest(sums.backgroundColors),
    fonts: heaviest(sums.fonts),
    logos: logos.slice(0, 10).map(({ score, ...logo }) => logo),
  };
}`;

/** Reads how the page looks now. */
export async function collectStyles(tab: BrowserTab, signal: AbortSignal): Promise<StyleEvidence> {
  return callInPage(tab, COLLECT, [PROPERTIES, SAMPLES, LARGEST_PAGE], signal);
}
