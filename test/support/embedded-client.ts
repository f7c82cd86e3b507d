/** A payrun process as far as the embedded PostgreSQL is concerned: says where it is, and stays until told. */
import { startEmbedded } from "#ledger/embedded/start.ts";

const { url } = await startEmbedded(process.argv[2] ?? "");
process.stdout.write(`${url}\n`);
process.stdin.resume();
await new Promise((resolve) => process.stdin.once("end", resolve));
process.exit(0);
