import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { SyntaxKind } from "typescript/unstable/ast";
import {
  isAsExpression,
  isBinaryExpression,
  isElementAccessExpression,
  isNonNullExpression,
  isParenthesizedExpression,
} from "typescript/unstable/ast/is";
import { API, TypeFlags } from "typescript/unstable/sync";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The only place that may: it asks first whether the entry is the table's own. */
const ALLOWED = "packages/kit/src/own-property.ts";
const ANY_TEXT = TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping;
const MANY = TypeFlags.Union | TypeFlags.Intersection;

/**
 * Where sources look any text up in a plain object: `table[text]` and `text in table`. Objects inherit entries such as `constructor`, which are then taken for the table's own. Texts of
 * which TypeScript knows all that they can be are left alone.
 * @returns what violates that, as `path:line code`.
 */
function findForeignKeys(root) {
  const api = new API({ cwd: root });
  try {
    const config = join(root, "tsconfig.json");
    const { program, checker } = api.updateSnapshot({ openProject: config }).getProject(config);
    const names = program.getSourceFileNames().filter((name) => isSource(relative(root, name)));
    return names.flatMap((name) => {
      const file = program.getSourceFile(name);
      return lookupsIn(file, checker).map((node) => describe(node, file, relative(root, name)));
    });
  } finally {
    api.close();
  }
}

function isSource(path) {
  return /^packages\/[^/]+\/src\//.test(path) && path !== ALLOWED && !/\.(?:test|suite)\.ts$/.test(path);
}

function lookupsIn(file, checker) {
  const found = [];
  const visit = (node) => {
    const key = keyOf(node);
    if (key && isAnyText(key, checker)) found.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** What the node looks up; undefined for what is no lookup. */
function keyOf(node) {
  if (isElementAccessExpression(node)) return node.argumentExpression;
  const isIn = isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword;
  return isIn ? node.left : undefined;
}

/** What the key is before somebody claims that it is one of the table's. */
function isAnyText(key, checker) {
  if (isAsExpression(key) || isNonNullExpression(key) || isParenthesizedExpression(key))
    return isAnyText(key.expression, checker);
  return isTextType(checker.getTypeAtLocation(key));
}

function isTextType(type) {
  if (type.flags & MANY) return type.getTypes().some(isTextType);
  return (type.flags & ANY_TEXT) !== 0;
}

function describe(node, file, path) {
  const line = file.text.slice(0, node.getStart(file)).split("\n").length;
  return `${path}:${line} looks a text up in an object: ${node.getText(file)}. Use a Map, or ownProperty() of kit/own-property.ts.`;
}

const violations = findForeignKeys(process.argv[2] ?? ROOT);
for (const violation of violations) console.error(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
