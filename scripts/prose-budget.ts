/**
 * `npm run prose-budget`: lowers test/prose-budget.json to the current counts. It refuses to raise
 * one.
 */
import { countMarkers, lowerBudget, proseFiles, readPassages } from "./prose/prose.ts";

try {
  lowerBudget(countMarkers(readPassages(proseFiles())));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
