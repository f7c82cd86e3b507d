/**
 * A payrun process as far as the embedded PostgreSQL is concerned: says where it is, and stays until told. With a
 * second word it waits for a line before it looks.
 */
import { startEmbedded } from "#ledger/embedded/start.ts";

if (process.argv[3]) await new Promise((resolve) => process.stdin.once("data", resolve));
const { url } = await startEmbedded(process.argv[2] ?? "");
process.stdout.write(`${url}\n`);
process.stdin.resume();
await new Promise((resolve) => process.stdin.once("end", resolve));
process.exit(0);
