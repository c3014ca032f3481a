/** A feed, sitemap or list of feeds, in any format. Texts are plain unless they are called HTML. */
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

/** `Tue, 24 Nov 2026 05:00:00 +0100` (RFC 822), of which the weekday, the seconds and the zone may be missing. */
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(?<day>\d{1,2}\s+[a-z]{3,9}\s+\d{2,4})(?<time>\s+\d{1,2}:\d\d(?::\d\d)?)?(?<zone>\s*(?:[+-]\d\d:?\d\d|[a-z]{1,5}))?$/i;
const ISO_8601 = /^(?<day>\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** A date as feeds write it (RFC 822, ISO 8601), in ISO 8601; as it is where it cannot be read. */
export function isoDate(text: string | undefined): string | undefined {
  const written = text?.trim();
  if (!written) return written;
  const iso = ISO_8601.exec(written);
  if (iso) return isDay(iso.groups?.["day"] ?? "") ? (isoTime(written) ?? written) : written;
  const { day, time, zone } = RFC_822.exec(written)?.groups ?? {};
  if (day === undefined) return written;
  if (time === undefined) return isoTime(`${day} UTC`)?.slice(0, "2026-11-24".length) ?? written;
  return isoTime(`${day} ${time} ${zone ?? "UTC"}`) ?? written;
}

function isoTime(written: string): string | undefined {
  const time = Date.parse(written);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(".000Z", "Z");
}

/** Whether the calendar has the day: V8 counts 31 February on into March. */
function isDay(day: string): boolean {
  return isoTime(`${day}T00:00:00Z`)?.startsWith(day) === true;
}
