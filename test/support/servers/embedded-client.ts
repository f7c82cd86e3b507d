/**
 * A payrun process as seen by the embedded PostgreSQL: prints the server's address, and runs until
 * it is stopped. With a second argument it waits for a line before it looks.
 */
import { startEmbedded } from "#ledger/embedded/start.ts";

if (process.argv[3]) await new Promise((resolve) => process.stdin.once("data", resolve));
const { ownerUrl: url } = await startEmbedded(process.argv[2] ?? "");
process.stdout.write(`${url}\n`);
process.stdin.resume();
await new Promise((resolve) => process.stdin.once("end", resolve));
process.exit(0);
