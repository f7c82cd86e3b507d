import { type Fault, faults, type Proof, proofs, WITHOUT_TEST } from "./coverage.ts";

/** Returns docs/proof/faults.md: every fault with its tests, or the reason why it has none. */
export function faultsPage(): string {
  const known = faults();
  const covered = proofs();
  const sections = [...new Set(known.map(({ section }) => section))];
  const tested = known.filter(({ number }) => covered.has(number)).length;
  return `# Fault coverage

For developers: the tests and campaigns that cover each fault; [faults.md](../../docs/faults.md) describes payrun's handling. \`npm run
proof-page\` generates this page from test titles and the tables of the proof. Of ${known.length} faults ${tested} have a test that fails if
payrun handles them wrongly; the others give the reason.
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
  if (paths.length === 0) return `*no test:* ${WITHOUT_TEST[number] ?? "no reason given"}`;
  return paths
    .map((path) => {
      const texts = named.filter((each) => each.path === path).map(({ text }) => text);
      return `[${path.replace(/^test\//, "")}](../../${path}): ${texts.map(cell).join("; ")}`;
    })
    .join("<br>");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
