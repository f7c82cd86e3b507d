import type { Figures, DayView, ListedDay } from "#api/reconciliation/days.ts";
import { timeText } from "#base/time-text.ts";
import { print, say, table } from "#cli/terminal/output.ts";
import { moneyText } from "#money/display.ts";
import { groupDigits } from "#money/format.ts";

/** Prints the closed days of a month. */
export function printDays(items: readonly ListedDay[]): void {
  print(
    table([
      [
        "day",
        "lane",
        "state",
        "version",
        "closing balance",
        "difference",
        "unresolved breaks",
        "result",
      ],
      ...items.map((each) => [
        each.day,
        each.lane,
        each.state,
        String(each.version),
        moneyText({ currency: each.currency, amount: each.closing }),
        each.difference === null ? "not observed" : groupDigits(each.difference, each.currency),
        String(each.open_breaks),
        each.reopening ? reopeningText(each.reopening) : each.verdict_text,
      ]),
    ]),
  );
}

/** The cause that reopened a day, with its transaction code, statement, break or proposal. */
const reopeningText = ({
  cause_text: text,
  object,
}: NonNullable<ListedDay["reopening"]>): string =>
  object === null ? text : `${text.replace(/\.$/, "")}: ${object}`;

const SIGNS: Readonly<Record<Figures["movements"][number]["name"], string>> = {
  deposits: "+ deposits",
  payouts: "- payouts",
  fees: "- fees",
  returns: "+ returns",
  resolutions: "± manual resolutions",
  adjustments: "± adjustments",
};

/** Prints a day: its figures, proposals and versions. */
export function printDay(day: DayView): void {
  const { figures, currency } = day;
  print(`${day.lane}, ${day.day} (${day.zone}): ${day.state}`);
  print(day.verdict_text ?? "Preview: the figures if you close the day now");
  if (figures) print(table(figureRows(figures, currency)));
  else say("Close the previous day first.");
  for (const { id, kind, amount, reason, by, decided_by: decider } of day.proposals) {
    const text = `${amount === null ? "" : `${moneyText({ currency, amount })}, `}${reason}`;
    print(`${kind} ${id}: ${text} (${by.name}${decider ? `, confirmed by ${decider.name}` : ""})`);
  }
  if (day.versions.length > 0) print("");
  for (const { version, by, at, digest, verdict_text: verdict, reopening } of day.versions) {
    print(`version ${version}: ${verdict}, by ${by.name} at ${timeText(at)}, digest ${digest}`);
    if (reopening) print(`  reopened at ${timeText(reopening.at)}: ${reopeningText(reopening)}`);
  }
  if (day.proposals.some((each) => each.decided_by === null)) {
    say("An approver must confirm the proposal on the dashboard.");
  }
}

function figureRows(figures: Figures, currency: string): string[][] {
  const grouped = (amount: string) => groupDigits(amount, currency);
  return [
    ["opening balance", grouped(figures.opening), currency, ""],
    ...figures.movements.map(({ name, amount, count }) => [
      SIGNS[name],
      grouped(amount),
      currency,
      String(count),
    ]),
    ["= closing balance, computed", grouped(figures.closing), currency, ""],
    [
      "closing balance, observed",
      figures.observed === null ? "not observed" : grouped(figures.observed),
      currency,
      "",
    ],
    ["difference", figures.difference === null ? "-" : grouped(figures.difference), currency, ""],
    ["unresolved breaks", "", "", String(figures.open_breaks)],
    ["payouts in progress or on hold", "", "", String(figures.open_payouts)],
  ];
}
