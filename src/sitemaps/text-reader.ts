import { foundAddress } from "../contract/address.ts";
import { limits } from "../contract/limits.ts";
import { type SitemapListener, type SitemapReader } from "./sitemap-entry.ts";

/** Reads a list of addresses, one on each line. Lines that are something else are passed over. */
export function readTextSitemap({ onPage }: SitemapListener): SitemapReader {
  let rest = "";
  const tell = (line: string) => {
    const url = line.trim();
    const address = /^https?:\/\//i.test(url) ? foundAddress(url) : undefined;
    if (address) onPage({ url: address });
  };
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? "";
      // A line without end is not gathered: it is not an address any more.
      rest = rest.slice(0, limits.foundUrlLength + 1);
      lines.forEach(tell);
    },
    end: () => tell(rest),
  };
}
