import { parseArgs, type ParseArgsConfig } from "node:util";

/** Parses the flags of a proof command. `--help` and unknown flags print the usage. */
export function flagsOf<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${String(error)}\n${usage}\n`);
    process.exit(2);
  }
}
