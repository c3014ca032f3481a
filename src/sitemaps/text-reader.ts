import { MAX_TEXT_LENGTH, type SitemapListener, type SitemapReader } from "./sitemap-entry.ts";

/** Reads a list of addresses, one on each line. Lines that are something else are passed over. */
export function readTextSitemap({ onPage }: SitemapListener): SitemapReader {
  let rest = "";
  const tell = (line: string) => {
    const url = line.trim();
    if (/^https?:\/\//i.test(url) && url.length <= MAX_TEXT_LENGTH) onPage({ url });
  };
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? "";
      // A line without end is not gathered: it is not an address any more.
      if (rest.length > MAX_TEXT_LENGTH) rest = rest.slice(0, MAX_TEXT_LENGTH + 1);
      lines.forEach(tell);
    },
    end: () => tell(rest),
  };
}
