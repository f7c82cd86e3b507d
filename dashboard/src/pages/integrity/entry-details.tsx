import type { Answer } from "../../server/client.ts";
import { formatMoney } from "../../base/money.ts";
import { LISTED_BATCH_STATES, LISTED_PAYOUT_STATES } from "../../base/state.ts";
import { dateText } from "../../base/dates.ts";
import { factName, yesOrNo } from "./fact-names.ts";
import classes from "./entries.module.css";
import { messages } from "./list-messages.ts";

type Line = Pick<Answer<"GET /api/audit">["items"][number], "facts" | "totals">;
type Detail = Line["facts"][string];

const SHOWN_MAX = 3;

/** The details of an entry. The first few are visible, or, for printing, every detail. */
export function EntryDetails({
  of: { facts, totals },
  isPrinted = false,
}: {
  readonly of: Line;
  readonly isPrinted?: boolean;
}) {
  // The log records totals in minor units.
  const readable = totals ? { ...facts, totals: totals.map((each) => formatMoney(each)) } : facts;
  const entries = Object.entries(readable).filter(([, value]) => !isNothing(value));
  if (entries.length === 0) return "–";
  const shownMax = isPrinted ? entries.length : SHOWN_MAX;
  const [shown, more] = [entries.slice(0, shownMax), entries.slice(shownMax)];
  return (
    <div className={classes.facts}>
      <List entries={shown} folds={!isPrinted} />
      {more.length === 0 ? null : (
        <details>
          <summary>{messages.log.more(more.length)}</summary>
          <List entries={more} folds />
        </details>
      )}
    </div>
  );
}

const List = ({
  entries,
  folds,
}: {
  readonly entries: readonly (readonly [string, Detail])[];
  readonly folds: boolean;
}) => (
  <dl>
    {entries.map(([name, value]) => (
      <div key={name}>
        <dt>{factName(name)}</dt>
        <dd>
          {!isList(value) ? (
            partText(name, value)
          ) : folds ? (
            <Folded of={value} />
          ) : (
            <Lines of={value} />
          )}
        </dd>
      </div>
    ))}
  </dl>
);

const isNothing = (value: Detail): boolean =>
  value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);

const isList = (value: Detail): value is readonly Detail[] =>
  Array.isArray(value) && value.length > 1 && typeof value[0] === "object";

/** A long list, shown on demand. */
const Folded = ({ of }: { readonly of: readonly Detail[] }) => (
  <details>
    <summary>{messages.log.list}</summary>
    <Lines of={of} />
  </details>
);

const Lines = ({ of }: { readonly of: readonly Detail[] }) => (
  <ul className={classes.lines}>
    {of.map((each, place) => (
      <li key={place}>{factText(each)}</li>
    ))}
  </ul>
);

/** A state in the words of the dashboard. The CSV file contains its code. */
function stateText(state: string): string {
  const known: Readonly<Record<string, { readonly word: string }>> = {
    ...LISTED_PAYOUT_STATES,
    ...LISTED_BATCH_STATES,
  };
  return known[state]?.word ?? state.replaceAll("_", " ");
}

const partText = (name: string, value: Detail): string =>
  name === "state" && typeof value === "string" ? stateText(value) : factText(value);

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DIGEST = /^[0-9a-f]{40,}$/;

/** Formats a day, and shortens a digest to its beginning. The CSV file contains both in full. */
function factText(value: Detail): string {
  if (typeof value === "string") {
    if (DAY.test(value)) return dateText(value);
    return DIGEST.test(value) ? `${value.slice(0, 12)}…` : value;
  }
  if (typeof value === "boolean") return yesOrNo(value);
  if (typeof value === "number") return value.toLocaleString();
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.map((each) => factText(each)).join(", ");
  return (
    Object.entries(value)
      // The number of minor units is no amount that people read. The CSV file contains it.
      .filter(([name]) => name !== "minor")
      .map(([name, part]) => `${factName(name)}: ${partText(name, part)}`)
      .join(", ")
  );
}
