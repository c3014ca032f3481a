/**
 * The library that draws. It makes a format of numbers for the language of the browser as soon as it is loaded, and fails
 * on what is not a language: a browser that was started with `LANG=C` says `en-US@posix`.
 */
export async function loadPlot() {
  if (!isLanguage(navigator.language)) {
    Object.defineProperty(navigator, "language", {
      value: document.documentElement.lang,
      configurable: true,
    });
  }
  return (await import("uplot")).default;
}

function isLanguage(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}
