import { inLanguage } from "../../../base/language.ts";

/** The texts of the charts, which load apart from the page. */
const en = {
  title: "Gateway responses",
  span: "Time range",
  spans: { "15": "15 min", "60": "1 h", "360": "6 h", "1440": "24 h" },
  lane: "Lane",
  allLanes: (count: number) => `All lanes (${count})`,
  empty: "No payouts were sent and no statuses were queried in this time range.",
};

export const messages = inLanguage({ en });
