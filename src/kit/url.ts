/** The URL without user name and password. What is not a URL, or has none, stays as it is. */
export function withoutCredentials(url: string): string {
  if (!url.includes("@") || !URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.username === "" && parsed.password === "") return url;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}
