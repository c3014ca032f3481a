/** What spellings of one address have in common; the text itself where it is none. */
export function pageKey(text: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`;
  if (!URL.canParse(whole)) return text;
  const url = new URL(whole);
  url.hash = "";
  return url.href;
}
