import { type Fault, faults, type Proof, proofs, WITHOUT_TEST } from "./coverage.ts";

/** docs/proof/faults.md as it must be: every fault with what covers it, or why nothing does. */
export function faultsPage(): string {
  const known = faults();
  const covered = proofs();
  const sections = [...new Set(known.map(({ section }) => section))];
  const tested = known.filter(({ number }) => covered.has(number)).length;
  return `# The faults, and what covers each

Drawn by \`npm run proof-page\` from the titles of the tests and the tables of the proof; what payrun does about each fault
stands in [faults.md](../../docs/faults.md). Of ${known.length} faults ${tested} have a test that fails when payrun handles them
wrongly. The others say why not.
${sections.map((section) => sectionOf(section, known, covered)).join("")}`;
}

const sectionOf = (
  heading: string,
  known: readonly Fault[],
  covered: ReadonlyMap<string, readonly Proof[]>,
): string => `
## ${heading}

| | Fault | Covered by |
|---|---|---|
${known
  .filter(({ section }) => section === heading)
  .map(
    ({ number, name }) =>
      `| ${number} | ${name} | ${coverOf(number, covered.get(number) ?? [])} |\n`,
  )
  .join("")}`;

/** One line per file, so that a long list stays readable. */
function coverOf(number: string, named: readonly Proof[]): string {
  const paths = [...new Set(named.map(({ path }) => path))];
  if (paths.length === 0) return `*no test:* ${WITHOUT_TEST[number] ?? "nobody knows why"}`;
  return paths
    .map((path) => {
      const texts = named.filter((each) => each.path === path).map(({ text }) => text);
      return `[${path.replace(/^test\//, "")}](../../${path}): ${texts.map(cell).join("; ")}`;
    })
    .join("<br>");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
