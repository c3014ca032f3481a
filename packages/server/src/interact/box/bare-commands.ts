import { bareCommands } from "../agent-browser/all.ts";

/** The function that bash calls for programs that it does not find: commands of `agent-browser` work without that name. */
const HANDLER = `() {
  case " ${bareCommands.join(" ")} " in
    *" $1 "*) agent-browser "$@" ;;
    *) echo "bash: $1: command not found" >&2; return 127 ;;
  esac
}`;

/** A variable for bash, which takes functions from there. */
export const BARE_COMMANDS = `BASH_FUNC_command_not_found_handle%%=${HANDLER}`;
