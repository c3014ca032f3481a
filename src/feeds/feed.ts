/** A feed, sitemap or list of feeds, whatever its format. Texts are plain unless they are called HTML. */
export interface Feed {
  readonly title?: string | undefined;
  /** The page that the feed is about, as the feed writes it. */
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly items: readonly FeedItem[];
  /** Entries of a sitemap have an address and a date: they are lines, not texts. */
  readonly isList: boolean;
}

export interface FeedItem {
  readonly title?: string | undefined;
  /** As the feed writes it. */
  readonly url?: string | undefined;
  /** In ISO 8601 where the feed's date can be read, else as the feed writes it. */
  readonly date?: string | undefined;
  readonly authors?: readonly string[];
  readonly topics?: readonly string[];
  readonly summaryHtml?: string | undefined;
  /** Pictures, sounds and other files that belong to the item. */
  readonly files?: readonly string[];
  /** Items below this one, in an outline. */
  readonly items?: readonly FeedItem[];
}

/** A date as feeds write it (RFC 822, ISO 8601), in ISO 8601; as it is where it cannot be read. */
export function isoDate(text: string | undefined): string | undefined {
  const written = text?.trim();
  if (!written || /^\d{4}(?:-\d\d){0,2}$/.test(written)) return written;
  const time = Date.parse(written);
  return Number.isNaN(time) ? written : new Date(time).toISOString().replace(".000Z", "Z");
}
