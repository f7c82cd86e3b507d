import { afterEach, expect, test } from "vitest";
import { shareOf } from "#simulator/state/fee.ts";
import { clientTo, submit } from "../gateway/clients.ts";
import { orderOf } from "../gateway/fixtures.ts";
import { type SimulatorProcess, startSimulator } from "../support/servers/simulator.ts";

let simulator: SimulatorProcess | null = null;
afterEach(async () => {
  await simulator?.stop();
  simulator = null;
});

test.each([
  ["100.50", "1", "1.01"],
  ["100.49", "1", "1.00"],
  ["1000", "0.5", "5"],
  ["0.01", "99.9999", "0.01"],
  ["12345678901234.56", "0.0001", "12345678.90"],
  ["100", "0", "0"],
  ["1e3", "1", "0"],
])("charges for %s at %s percent: %s", (amount, percent, fee) => {
  expect(shareOf(amount, percent)).toBe(fee);
});

test("reports the fee of a settled payout, subtracts it, and changes or garbles it on request", async () => {
  simulator = await startSimulator({ fee: "1", settleMs: 0, balance: "INR=1000" });
  await simulator.setFaults([
    { fault: "status_other_fee", code: "OTHER-*" },
    { fault: "status_odd_fee", code: "ODD-*" },
  ]);
  const client = clientTo(simulator.url);
  const statusOf = async (code: string) => {
    const { answer } = await client.status("INR", code);
    return answer.kind === "found" ? [answer.record.state, answer.record.fee] : [answer.kind];
  };
  for (const code of ["PLAIN-1", "OTHER-1", "ODD-1"]) await submit(client, orderOf(code));
  await expect.poll(() => statusOf("PLAIN-1")).toEqual(["completed", "1.01"]);
  expect(await statusOf("OTHER-1")).toEqual(["completed", "1.01"]);
  expect(await statusOf("OTHER-1")).toEqual(["completed", "2.01"]);
  expect(await statusOf("ODD-1")).toEqual(["completed", "1%"]);
  // Three payouts of 100.50 with a fee of 1.01 each.
  const balance = await client.balance("INR");
  expect(JSON.stringify(balance)).toContain("695.470");
  client.close();
});
