import { Argument, type Command, Help } from "commander";
import { print } from "#cli/terminal/output.ts";

/** The words that may follow a command: its subcommands and its options. */
interface Completions {
  /** Names of the command, such as "batch list"; empty for payrun itself. */
  readonly path: string;
  readonly words: readonly string[];
}

/** Adds `payrun completion` to the program. */
export function completionCommand(program: Command): void {
  program
    .command("completion")
    .description("print a script that completes payrun's commands and options in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SCRIPTS)))
    .action(async (shell: keyof typeof SCRIPTS) => {
      const { programFor } = await import("#cli/app/program.ts");
      print(SCRIPTS[shell](completionsOf(await programFor([]), "")));
    });
}

const HELP = new Help();

/** Returns the commands in the help of a command, without `help` itself. */
const visibleCommands = (command: Command): Command[] =>
  HELP.visibleCommands(command).filter((child) => command.commands.includes(child));

/** Returns the completions of a command and of all its subcommands. */
function completionsOf(command: Command, path: string): Completions[] {
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const children = visibleCommands(command);
  const words = [...children.map((child) => child.name()), ...flags, "--help"];
  return [
    { path, words },
    ...children.flatMap((child) =>
      completionsOf(child, path === "" ? child.name() : `${path} ${child.name()}`),
    ),
  ];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

const casesOf = (completions: readonly Completions[]): string =>
  completions.map(({ path, words }) => `    "${path}") echo "${words.join(" ")}" ;;`).join("\n");

/** The command is the longest run of words after `payrun` that names one; arguments follow it. */
function bashScript(completions: readonly Completions[]): string {
  return `# payrun completion for bash. Add to ~/.bashrc: source <(payrun completion bash)
_payrun_words() {
  case "$1" in
${casesOf(completions)}
  esac
}
_payrun() {
  local word path="" words longer current="\${COMP_WORDS[COMP_CWORD]}"
  words="$(_payrun_words "")"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    longer="$(_payrun_words "\${path:+$path }$word")"
    [ -n "$longer" ] || break
    path="\${path:+$path }$word" words="$longer"
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _payrun payrun`;
}

function zshScript(completions: readonly Completions[]): string {
  return `# payrun completion for zsh. Add to ~/.zshrc, after compinit: source <(payrun completion zsh)
_payrun_words() {
  case "$1" in
${casesOf(completions)}
  esac
}
_payrun() {
  local word command_path="" found longer
  found="$(_payrun_words "")"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    longer="$(_payrun_words "\${command_path:+$command_path }$word")"
    [[ -n "$longer" ]] || break
    command_path="\${command_path:+$command_path }$word" found="$longer"
  done
  compadd -- \${=found}
  _files
}
compdef _payrun payrun`;
}

function fishScript(completions: readonly Completions[]): string {
  const cases = completions.map(
    ({ path, words }) => `    case '${path}'\n      printf '%s\\n' ${words.join(" ")}`,
  );
  return `# payrun completion for fish. Save as ~/.config/fish/completions/payrun.fish
function __payrun_words
  switch "$argv[1]"
${cases.join("\n")}
  end
end
function __payrun_complete
  set -l path ""
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$path $word")
    test -n "$(__payrun_words $longer)"; or break
    set path $longer
  end
  __payrun_words $path
end
complete -c payrun -a '(__payrun_complete)'`;
}
