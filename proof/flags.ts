import { parseArgs, type ParseArgsConfig } from "node:util";

/** Reads the flags of a command of the proof. `--help`, and a flag that it does not have, print how it is used. */
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
