/** What an element tells about its page, if its text bears it out: an application mounts itself there, it waits, … */
export type TellingKind = "root" | "loading" | "custom" | "hidden";

/** Any of what the patterns below look for, at the price of one. */
const INTERESTING =
  /root|app|next|nuxt|gatsby|layout|svelte|mount|elm|ember|react|ng-|load|spinner|skeleton|shimmer|placeholder-glow|busy|progressbar|hidden|display/i;
const ROOT =
  /\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|__layout|_nuxt|svelte|q-app|application|main-app|react-root|app-root|mount|elm|ember-app)["'\s>]|\b(?:data-reactroot|data-v-app|ng-app|ng-version)\b/i;
const LOADING =
  /\b(?:class|id)\s*=\s*(?:"[^"]*|'[^']*|)(?<![a-z])(?:skeleton|spinner|loading|loader|shimmer|placeholder-glow)(?![a-z])|aria-busy\s*=\s*["']?true|role\s*=\s*["']?progressbar/i;
const HIDDEN = /(?:^|\s)hidden(?=[\s=>/]|$)|display\s*:\s*none/i;

/** What an element of this name and with these attributes may tell; undefined for most. */
export function tellingKind(name: string, attributes: string): TellingKind | undefined {
  if (name.includes("-") && attributes.length <= 1) return "custom";
  if (attributes.length <= 1) return undefined;
  if (!INTERESTING.test(attributes)) return name.includes("-") ? "custom" : undefined;
  if (ROOT.test(attributes)) return "root";
  if (LOADING.test(attributes)) return "loading";
  if (HIDDEN.test(attributes)) return "hidden";
  return name.includes("-") ? "custom" : undefined;
}
