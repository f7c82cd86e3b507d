/** The command line. Each command loads what it needs only when it is asked for, so that `--help` is instant. */
import { Command } from "commander";

import packageJson from "../../package.json" with { type: "json" };

const program = new Command("payrun")
  .description(packageJson.description)
  .version(packageJson.version)
  .showHelpAfterError();

await program.parseAsync();
