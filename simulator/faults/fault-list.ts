import { FAULTS, type Fault } from "./faults.ts";

const STEPS: Readonly<Record<Fault["at"], string>> = {
  before: "Before the request is accepted",
  refuse: "Refusals",
  after: "After the request is accepted",
  accept: "Changes to acceptance",
  status: "Status responses",
  callback: "Callbacks",
};

/** Returns every fault with its effect, grouped by the step at which it applies. */
export function faultList(): string {
  const faults = Object.entries(FAULTS);
  const width = Math.max(...faults.map(([name]) => name.length));
  return Object.entries(STEPS)
    .map(([step, title]) => {
      const lines = faults
        .filter(([, { at }]) => at === step)
        .map(([name, { does }]) => `  ${name.padEnd(width)}  ${does.replaceAll("`", "")}`);
      return `${title}:\n${lines.join("\n")}\n`;
    })
    .join("\n");
}
