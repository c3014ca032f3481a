import { readFileSync } from "node:fs";

export const here = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** Places of the world by their common names. */
export const places: readonly string[] = here("places.txt")
  .split(/\s+/)
  .filter(Boolean)
  .map((name) => name.replaceAll("_", " "));

export const germanNouns: readonly string[] = here("nouns-de.txt").split(/\s+/).filter(Boolean);

/** Countries and territories as a language calls them. */
export function countriesIn(language: string): readonly string[] {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !NO_COUNTRY.has(code));
  return codes.map((code) => names.of(code)).filter((name) => name !== undefined);
}

/** Codes of unions, and of what is not known. */
const NO_COUNTRY: ReadonlySet<string> = new Set(["EU", "EZ", "UN", "ZZ", "QO", "XA", "XB"]);

export const worldNames = namesOfTheWorld();

/** Names from all over the world as they are written in Latin letters: under `# first`, `# last` and `# alone`. */
function namesOfTheWorld(): Readonly<Record<string, readonly string[]>> {
  const parts = here("names-of-the-world.txt").split(/^# (\w+)$/m);
  return Object.fromEntries(
    [1, 3, 5].map((at) => [parts[at] as string, (parts[at + 1] ?? "").split(/\s+/).filter(Boolean)]),
  );
}

export const firstNamesOfTheWorld = worldNames["first"] ?? [];
export const lastNamesOfTheWorld = worldNames["last"] ?? [];

export function templates(): readonly { readonly language: string; readonly text: string }[] {
  let language = "en";
  return here("templates.txt")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("# ")) language = line.slice(2);
      return line.includes("{") || line.startsWith("= ") ? [{ language, text: line.replace(/^= /, "") }] : [];
    });
}
