/** `npm run proof-page`: draws the pages of docs/understand/proof that are made from the code. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chaosPage } from "./chaos-page.ts";
import { faultsPage } from "./faults-page.ts";
import { proofPage } from "./proof-page.ts";

const folder = join(import.meta.dirname, "..", "..", "docs", "understand", "proof");
mkdirSync(folder, { recursive: true });
const pages = { faults: faultsPage, chaos: chaosPage, README: proofPage };
for (const [name, draw] of Object.entries(pages)) {
  writeFileSync(join(folder, `${name}.md`), draw());
}
