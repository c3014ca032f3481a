import { lazy } from "@pergamon-dev/kit/lazy";
import { languagesOf } from "./countries.ts";
import { countryPositions } from "./country-positions.ts";

/**
 * Apparent place of a visitor, with everything that a page can find out about it. All parts are consistent.
 */
interface Locale {
  /** IANA name. */
  readonly timezone: string;
  /** BCP 47 tag of the browser's own language. */
  readonly locale: string;
  /** Languages of the visitor, most preferred first, at least one. */
  readonly languages: readonly string[];
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Place of a visitor from a country.
 * @param country ISO 3166-1 alpha-2, upper case.
 * @param languages as requested. Empty means those of the country.
 */
export function localeIn(country: string, languages: readonly string[]): Locale {
  const spoken = languagesOf(country, languages);
  const { timezone, latitude, longitude } = positionOf(country);
  return {
    timezone,
    locale: firstLocale([...spoken, ...languagesOf(country, [])]),
    languages: spoken,
    latitude,
    longitude,
  };
}

interface Position {
  readonly timezone: string;
  readonly latitude: number;
  readonly longitude: number;
}

const positions = lazy(() => {
  const lines = countryPositions
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" "));
  return new Map(
    lines.map(([country = "", timezone = "", latitude, longitude]): [string, Position] => [
      country,
      { timezone, latitude: Number(latitude), longitude: Number(longitude) },
    ]),
  );
});

/** @throws Error when there is no such country. */
function positionOf(country: string): Position {
  const position = positions().get(country);
  if (!position) throw new Error(`Unknown country: ${country}.`);
  return position;
}

/** First requested language that names a locale. `*` and qualities name none. */
function firstLocale(languages: readonly string[]): string {
  const locale = languages.find((language) => {
    try {
      return Intl.getCanonicalLocales(language).length > 0;
    } catch {
      return false;
    }
  });
  return locale ?? "en-US";
}
