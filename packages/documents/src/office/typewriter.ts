const TYPEWRITER =
  /courier|consolas|menlo|monaco|inconsolata|fira code|cascadia|source code|lucida console|fixedsys|typewriter|\bmono(?:space)?\b|mono$/i;

/** Whether the letters of a font are all equally wide, by its name. */
export function isTypewriter(font: string): boolean {
  return TYPEWRITER.test(font);
}
