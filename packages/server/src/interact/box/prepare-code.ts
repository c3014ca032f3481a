import { type Expression, type Node, type Pattern, type Program, type Statement, parse } from "acorn";

/** Code that is ready to run: the call of an async function that returns the value of the code. */
interface RunnableCode {
  readonly source: string;
  /** Names of its top-level declarations, which the next call can use. */
  readonly names: readonly string[];
}

/**
 * Prepares code as people write it at a prompt. The value is that of a lone expression, or else of `return`,
 * or else of the last expression. Top-level declarations become globals, so that later code finds them.
 * @throws SyntaxError with line and column.
 */
export function prepareCode(code: string): RunnableCode {
  const whole = expressionIn(code);
  if (whole) return { source: inFunction(`return (${code}\n)`), names: [] };
  const program = parseProgram(code);
  const edits = program.body.flatMap((statement, index) =>
    editsOf(code, statement as Statement, index === program.body.length - 1),
  );
  const functions = program.body.flatMap((one) => (one.type === "FunctionDeclaration" ? [one.id.name] : []));
  const hoisted = functions.map((name) => `globalThis.${name} = ${name};`).join(" ");
  return {
    source: inFunction(hoisted + applyEdits(code, edits)),
    names: [...functions, ...program.body.flatMap((statement) => declaredBy(statement as Statement))],
  };
}

const SYNTAX = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
} as const;

/** Whether the code is one expression. An object literal would otherwise count as a block. */
function expressionIn(code: string): boolean {
  try {
    const { body } = parse(`(${code}\n)`, SYNTAX);
    return body.length === 1 && body[0]?.type === "ExpressionStatement";
  } catch {
    return false;
  }
}

function parseProgram(code: string): Program {
  try {
    return parse(code, SYNTAX);
  } catch (failure) {
    const { message } = failure as Error;
    if (!message.startsWith("'import' and 'export'")) throw new SyntaxError(message, { cause: failure });
    throw new SyntaxError(`${message}. Use require(…) or await import(…).`, { cause: failure });
  }
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function editsOf(code: string, statement: Statement, isLast: boolean): readonly Edit[] {
  const replace = ({ start, end }: Node, text: string) => [{ start, end, text }];
  const textOf = ({ start, end }: Node) => code.slice(start, end);
  switch (statement.type) {
    case "VariableDeclaration": {
      const assignments = statement.declarations.map(({ id, init }) => assignmentOf(textOf, id, init));
      return replace(statement, `(${assignments.join(", ")});`);
    }
    case "ClassDeclaration":
      return replace(statement, `${statement.id.name} = ${textOf(statement)};`);
    case "ExpressionStatement":
      return isLast ? replace(statement, `return (${textOf(statement.expression)}\n);`) : [];
    default:
      return [];
  }
}

function assignmentOf(
  textOf: (node: Node) => string,
  id: Pattern,
  init: Expression | null | undefined,
): string {
  return `${textOf(id)} = ${init ? textOf(init) : "undefined"}`;
}

function declaredBy(statement: Statement): readonly string[] {
  if (statement.type === "ClassDeclaration") return [statement.id.name];
  if (statement.type !== "VariableDeclaration") return [];
  return statement.declarations.flatMap(({ id }) => namesIn(id));
}

function namesIn(pattern: Pattern | null): readonly string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((one) =>
        namesIn(one.type === "RestElement" ? one.argument : one.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** Edits run from the end, so that earlier positions stay valid. */
function applyEdits(code: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (text, { start, end, text: instead }) => text.slice(0, start) + instead + text.slice(end),
    code,
  );
}

function inFunction(body: string): string {
  return `(async () => {${body}\n})()`;
}
