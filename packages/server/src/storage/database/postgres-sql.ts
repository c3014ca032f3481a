/** Quoted texts and names, which stay as they are. */
const QUOTED = /('(?:[^']|'')*'|"(?:[^"]|"")*")/;
const DEFINITION = /^\s*(?:CREATE TABLE|ALTER TABLE)\b/;

/**
 * Portable SQL as Postgres takes it: numbered placeholders; `LIKE` without regard to the case of Latin letters; texts
 * compared by their characters' numbers and not by the language of the server, so that both databases sort alike.
 */
export function postgresSql(sql: string): string {
  const isDefinition = DEFINITION.test(sql);
  let placeholders = 0;
  return sql
    .split(QUOTED)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const numbered = part.replaceAll("?", () => `$${(placeholders += 1)}`);
      const alike = numbered.replaceAll(/\bLIKE\b/g, "ILIKE");
      // A column may be called text: its type is the second word.
      return isDefinition ? alike.replaceAll(/\btext\b(?! text\b)/g, 'text COLLATE "C"') : alike;
    })
    .join("");
}
