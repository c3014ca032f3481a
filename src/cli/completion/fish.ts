import { type CommandWords, type OptionWords, slashed } from "./words.ts";

/** A completion script for fish, which shows what each word does. */
export function fishCompletion(program: string, commands: readonly CommandWords[]): string {
  const name = `__${program}_command`;
  return `# Completion of ${program} for fish. Load it: ${program} completion fish | source
function ${name}
  set -l command ''
  for word in (commandline -opc)[2..]
    switch "$command/$word"
      case ${commands
        .slice(1)
        .map(({ path }) => slashed(path))
        .join(" ")}
        set command "$command/$word"
    end
  end
  echo "$command"
end
${commands.flatMap((command) => linesOf(program, command)).join("\n")}
`;
}

function linesOf(program: string, { path, subcommands, options }: CommandWords): readonly string[] {
  const condition = `complete -c ${program} -n 'test "$(__${program}_command)" = "${slashed(path)}"'`;
  return [
    ...subcommands.map(({ name, description }) => `${condition} -f -a ${name} -d ${quoted(description)}`),
    ...options.map((option) => `${condition} ${optionArguments(option)}`),
  ];
}

function optionArguments({ spellings, description, takesValue, choices, isPath }: OptionWords): string {
  const names = spellings.map((spelling) =>
    spelling.startsWith("--") ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`,
  );
  const value = takesValue
    ? [isPath ? "-r" : "-x", ...(choices.length > 0 ? [`-a ${quoted(choices.join(" "))}`] : [])]
    : [];
  return [...names, ...value, `-d ${quoted(description)}`].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
