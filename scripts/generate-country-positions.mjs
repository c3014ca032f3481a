// Writes the table of places by country, from the time zone database (public domain) of this machine.
// Usage: node scripts/generate-country-positions.mjs [zone.tab]
import { readFileSync, writeFileSync } from "node:fs";

const [, , source = "/usr/share/zoneinfo/zone.tab"] = process.argv;
const TARGET = new URL("../packages/server/src/fetch/locales/country-positions.ts", import.meta.url);

/** Zones of most people, where zone.tab begins with another one: it orders by geography first. */
const MAIN_ZONES = {
  AU: "Australia/Sydney",
  BR: "America/Sao_Paulo",
  CA: "America/Toronto",
  RU: "Europe/Moscow",
  UA: "Europe/Kyiv",
  UZ: "Asia/Tashkent",
};

/** Uninhabited countries have no zone of their own. */
const WITHOUT_ZONE = [
  ["BV", "-5425+00325", "Europe/Oslo"],
  ["HM", "-5305+07330", "Indian/Kerguelen"],
];

const rows = readFileSync(source, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

const places = new Map();
for (const [country, position, zone] of [...rows, ...WITHOUT_ZONE]) {
  if (places.has(country) && MAIN_ZONES[country] !== zone) continue;
  places.set(country, `${country} ${zone} ${degrees(position).join(" ")}`);
}

const lines = [...places.values()].toSorted((a, b) => (a < b ? -1 : 1)).map((line) => `  ${line}`);
writeFileSync(
  TARGET,
  `// Made by scripts/generate-country-positions.mjs from the time zone database (public domain). Not edited by hand.

/** A line per country: ISO 3166-1 alpha-2 code, zone of most people, latitude and longitude of its main town in degrees. */
export const countryPositions = \`
${lines.join("\n")}
\`;
`,
);
console.log(`${lines.length} countries`);

/** ISO 6709, ±DDMM±DDDMM with optional seconds, in decimal degrees. */
function degrees(position) {
  const [, latitude, longitude] = /^([+-]\d+)([+-]\d+)$/.exec(position);
  return [decimal(latitude, 2), decimal(longitude, 3)];
}

function decimal(text, degreeDigits) {
  const sign = text[0] === "-" ? -1 : 1;
  const digits = text.slice(1);
  const whole = Number(digits.slice(0, degreeDigits));
  const minutes = Number(digits.slice(degreeDigits, degreeDigits + 2));
  const seconds = Number(digits.slice(degreeDigits + 2) || 0);
  return (sign * (whole + minutes / 60 + seconds / 3600)).toFixed(4);
}
