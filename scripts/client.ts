/** `npm run client -- FOLDER`: the gateway client as a package for other programs. */
import { writeClientPackage } from "./client-package.ts";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("expected a target folder: npm run client -- FOLDER");
writeClientPackage(folder);
