import type { Shape } from "../../packages/server/src/api/operation-shape.ts";
import { operations } from "../operations.ts";
import type { Answers } from "./screens.ts";

/** Without a place to break. */
const LONG = "long".repeat(5000);

/** What would run, call out, turn the text round, or break the layout, were it not only text. */
export function hostileText(trap: string): string {
  const script = `fetch("${trap}script");alert(1)`;
  return [
    `</script><script>${script}</script><img src="${trap}picture" onerror='${script}'>`,
    `<svg onload='${script}'></svg><iframe src="${trap}frame"></iframe>`,
    `javascript:${script} data:text/html,<script>${script}</script>`,
    "\u202Egpj.exe\u202C zero\u200Bwidth \u0000\u0007\u001B[31m\u009F\uFEFF مرحبا بالعالم",
    LONG,
  ].join(" ");
}

/** What the service alone makes: ids, places in lists, names of its own. */
const OWN =
  /(?:^(?:id|cursor|version|digest|domains|kind|way|ending|folder|file|whyNot|step|address|roles|provider|capability|cron|timezone)|Id)$/;
const OWN_LINES =
  /^(?:\w+ \/admin\/session|\w+ \/admin\/api\/(?:sessions\/\{id\}\/view|playground-key|settings|setup))$/;

/** The examples of the operations, with this text wherever their shapes take it. */
export function hostileAnswers(text: string): Answers {
  const shaped = operations.filter(({ line, answer }) => "schema" in answer && !OWN_LINES.test(line));
  return Object.fromEntries(shaped.map(({ line, answer }) => [line, withText(answer as Shape, text)]));
}

/** Long fields of lists come in the length that they may have. */
const LENGTHS = [Infinity, 1000, 100, 20];

function withText({ example, schema }: Shape, text: string): unknown {
  return textPaths(example).reduce((answer, path) => {
    const begin = path.at(-1) === "url" ? "https://shop.test/" : "";
    const fitting = LENGTHS.map((length) => replaced(answer, path, begin + text.slice(0, length)));
    return fitting.find((candidate) => schema.safeParse(candidate).success) ?? answer;
  }, example);
}

type Path = readonly (string | number)[];

/** Where texts are, or could be. */
function textPaths(value: unknown, path: Path = []): readonly Path[] {
  if (OWN.test(String(path.at(-1) ?? ""))) return [];
  if (typeof value === "string" || value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((item, at) => textPaths(item, [...path, at]));
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) => textPaths(member, [...path, name]));
}

function replaced(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? replaced(item, rest, text) : item));
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [name]: replaced(members[name], rest, text) };
}
