/** What an operator can choose: the colours of the system, or one of the two. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED_AS = "pergamon-theme";

/** The choice of this browser; `system` where nothing can be stored. */
export function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORED_AS);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    return "system";
  }
}

/** Puts the colours on the page. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Puts them on the page and keeps the choice for the next visit. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // A browser that stores nothing has the choice until the page is left.
  }
}
