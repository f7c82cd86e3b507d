/**
 * `npm run specification-page`: writes docs/proof/specification.md from the titles of the tests.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { specificationPage } from "../proof/page/specification.ts";

const page = join(import.meta.dirname, "../docs/proof/specification.md");
writeFileSync(page, specificationPage());
