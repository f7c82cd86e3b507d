import type { DayView } from "#api/reconciliation/days.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import type { ItemView } from "#views/reconciliation/day-items.ts";

/** The names of the movements on the report, with their signs in the equation. */
const MOVEMENT_LABELS = {
  deposits: ["Settled deposits", "+"],
  payouts: ["Settled payouts", "−"],
  fees: ["Fees", "−"],
  returns: ["Returns", "+"],
  resolutions: ["Manual resolutions", "±"],
  adjustments: ["Adjustments", "±"],
} as const;

/** Amounts and signs. They stay as they are, so that a spreadsheet can add up the amounts. */
const PLAIN = /^(-?\d+(\.\d+)?|[+=])$/;

const safe = (cell: string): string => (PLAIN.test(cell) ? cell : formulaSafe(cell));

/** Generates the records of the report of a day with all items, starting with the header. */
export async function* dayRecords(
  day: DayView,
  items: AsyncIterable<ItemView>,
): AsyncGenerator<readonly string[]> {
  const line = (...cells: readonly (string | number | null)[]) =>
    cells.map((cell) => safe(String(cell ?? "")));
  yield ["section", "name", "sign", "amount", "currency", "count", "detail"];
  const { lane, currency, figures } = day;
  const fact = (name: string, detail: string) => line("day", name, "", "", "", "", detail);
  yield fact("Lane", lane);
  yield fact("Business day", `${day.day} (${day.zone})`);
  yield fact("Version", day.version === null ? "not closed" : String(day.version));
  yield fact("Result", day.verdict_text ?? "Not closed");
  const reopening = day.versions.find(({ version }) => version === day.version)?.reopening;
  if (reopening) {
    yield fact("Reopened", `at ${reopening.at}: ${reopening.cause_text}`);
    yield fact("Deposits, returns and resolutions", "as recorded now");
  }
  if (figures) {
    const figure = (
      name: string,
      sign: string,
      amount: string | null,
      count: number | null,
      detail = "",
    ) => line("figures", name, sign, amount, currency, count, detail);
    yield figure("Opening balance", "", figures.opening, null);
    for (const { name, amount, count } of figures.movements) {
      const [label, sign] = MOVEMENT_LABELS[name];
      yield figure(label, sign, amount, count);
    }
    yield figure("Closing balance, computed", "=", figures.closing, null);
    const { observed, observed_statement: statement } = figures;
    const source = statement === null ? "" : `from statement ${statement}`;
    yield figure("Closing balance, observed", "", observed ?? "not observed", null, source);
    yield figure("Difference", "", figures.difference, null);
    yield figure("Unresolved breaks", "", null, figures.open_breaks);
    yield figure("Payouts in progress or on hold", "", null, figures.open_payouts);
    yield figure("Payouts without a readable fee", "", null, figures.payouts_without_fee);
    yield figure("Payouts since returned", "", null, figures.payouts_returned_since);
  }
  for await (const { movement, code, amount, at } of items) {
    yield line(movement, code, "", amount, currency, "", at);
  }
  for (const { kind, amount, reason, by, decided_by: decider } of day.proposals) {
    const people = decider ? `${by.name}, confirmed by ${decider.name}` : `${by.name}, proposed`;
    yield line(kind, reason, "", amount, currency, "", people);
  }
  for (const {
    version,
    digest,
    by,
    at,
    closing,
    verdict_text: verdict,
    reopening,
  } of day.versions) {
    const reopened = reopening ? `; reopened at ${reopening.at}: ${reopening.cause_text}` : "";
    const detail = `${verdict}; closed by ${by.name} at ${at}; digest ${digest}${reopened}`;
    yield line("versions", String(version), "", closing, currency, "", detail);
  }
}
