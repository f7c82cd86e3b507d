import type { PayoutView } from "#api/payout/payouts.ts";
import { table } from "#cli/terminal/output.ts";

type Happening = PayoutView["timeline"][number];

/** Formats the history with one line per event: time, event, and all recorded facts. */
export const timelineTable = (timeline: PayoutView["timeline"]): string =>
  table(
    timeline.map(({ at, title, text, actor: by, facts }) => {
      const details = facts
        .filter(({ name, value }) => !(name === "text" && value === text))
        .map(factText);
      return [at, title, [text, by, details.join(", ")].filter(Boolean).join(" · ")];
    }),
  );

/** Labels of facts that their recorded name does not explain. Reported: it may not be proven. */
const LABELS: Readonly<Record<string, string>> = {
  "http status": "HTTP status",
  "transaction no": "gateway number",
  "actual amount": "reported actual amount",
  amount: "reported amount",
  currency: "reported currency",
  state: "reported state",
  says: "gateway status",
  code: "error code",
  kind: "callback for",
};

/** Formats a fact like "HTTP status: 200" or "duration: 21 ms". */
function factText({ name, value }: Happening["facts"][number]): string {
  switch (name) {
    case "elapsed ms":
      return `duration: ${value} ms`;
    case "date offset ms":
      return `gateway clock: ${value.replace("-", "")} ms ${value.startsWith("-") ? "behind" : "ahead"}`;
    case "text":
      return `text: "${value}"`;
    case "outcome":
    case "answer":
      return `${name}: ${value.replaceAll("_", " ")}`;
    default:
      return `${LABELS[name] ?? name}: ${value}`;
  }
}
