import { type CommandWords, type OptionWords, slashed } from "./words.ts";

/** A completion script for bash 4 and newer. */
export function bashCompletion(program: string, commands: readonly CommandWords[]): string {
  return `# Completion of ${program} for bash. Load it: source <(${program} completion bash)
_${program}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command/$word" in
${commands.slice(1).map(pathCase).join("\n")}
    esac
  done
  case "$command $previous" in
${commands.flatMap((command) => command.options.flatMap((option) => valueCase(command, option))).join("\n")}
  esac
  local words=
  case "$command" in
${commands.map(wordsCase).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program} ${program}
`;
}

function pathCase({ path }: CommandWords): string {
  return `      ${slashed(path)}) command=${slashed(path)} ;;`;
}

/** What may follow an option that takes a value. */
function valueCase({ path }: CommandWords, option: OptionWords): readonly string[] {
  if (!option.takesValue) return [];
  const patterns = option.spellings.map((spelling) => `"${slashed(path)} ${spelling}"`).join("|");
  const reply = option.isPath
    ? 'COMPREPLY=($(compgen -f -- "$current"))'
    : `COMPREPLY=($(compgen -W "${option.choices.join(" ")}" -- "$current"))`;
  return [`    ${patterns}) ${reply}; return ;;`];
}

function wordsCase({ path, subcommands, options }: CommandWords): string {
  const words = [...subcommands.map(({ name }) => name), ...options.flatMap(({ spellings }) => spellings)];
  return `    "${slashed(path)}") words="${words.join(" ")}" ;;`;
}
