import { type CommandWords, type OptionWords, slashed } from "./words.ts";

/** A completion script for zsh, which shows what each word does. */
export function zshCompletion(program: string, commands: readonly CommandWords[]): string {
  return `#compdef ${program}
# Completion of ${program} for zsh. Load it after compinit: source <(${program} completion zsh)
_${program}() {
  local command= word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command/$word" in
${commands.slice(1).map(pathCase).join("\n")}
    esac
  done
  case "$command $words[CURRENT-1]" in
${commands.flatMap((command) => command.options.flatMap((option) => valueCase(command, option))).join("\n")}
  esac
  local -a found
  case "$command" in
${commands.map(wordsCase).join("\n")}
  esac
  _describe '${program}' found || _files
}
compdef _${program} ${program}
`;
}

function pathCase({ path }: CommandWords): string {
  return `      ${slashed(path)}) command=${slashed(path)} ;;`;
}

/** What may follow an option that takes a value. */
function valueCase({ path }: CommandWords, option: OptionWords): readonly string[] {
  if (!option.takesValue) return [];
  const patterns = option.spellings.map((spelling) => `"${slashed(path)} ${spelling}"`).join("|");
  const reply = option.isPath ? "_files" : `compadd -- ${option.choices.join(" ")}`;
  return [`    ${patterns}) ${reply}; return ;;`];
}

function wordsCase({ path, subcommands, options }: CommandWords): string {
  const described = [
    ...subcommands.map(({ name, description }) => entry(name, description)),
    ...options.flatMap(({ spellings, description }) => spellings.map((word) => entry(word, description))),
  ];
  return `    "${slashed(path)}") found=(${described.join(" ")}) ;;`;
}

/** A colon separates a word from what it does. */
function entry(word: string, description: string): string {
  return `'${`${word.replaceAll(":", "\\:")}:${description}`.replaceAll("'", "'\\''")}'`;
}
