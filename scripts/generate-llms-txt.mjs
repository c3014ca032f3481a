// Writes llms.txt: every page of docs/ with its title and first sentence, for programs that read documentation.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { description, homepage } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const BASE = `${homepage.replace("#readme", "")}/blob/main`;

function lineOf(path) {
  const text = readFileSync(join(ROOT, path), "utf8");
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const paragraph = text.split(/\n{2,}/).find((part) => /^[A-Z*[]/.test(part)) ?? "";
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/\s+/g, " ");
  const [sentence] = plain.split(/(?<=[.:!?])\s/);
  return `- [${title}](${BASE}/${path})${sentence ? `: ${sentence}` : ""}`;
}

const pages = readdirSync(join(ROOT, "docs"))
  .filter((name) => name.endsWith(".md"))
  .sort();
const more = ["CHANGELOG.md", "CONTRIBUTING.md", "packages/html/README.md", "packages/documents/README.md"];
const text = `# Pergamon

> ${description}

## Documentation

${pages.map((name) => lineOf(`docs/${name}`)).join("\n")}

## Optional

${more.map(lineOf).join("\n")}
`;
writeFileSync(join(ROOT, "llms.txt"), text);
