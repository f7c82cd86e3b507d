/**
 * `npm run specification-page`: writes specification-coverage.md from the titles of the tests.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { specificationPage } from "../proof/page/specification.ts";

const page = join(import.meta.dirname, "../docs/reference/specification-coverage.md");
writeFileSync(page, specificationPage());
