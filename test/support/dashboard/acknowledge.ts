import type { Page } from "playwright-core";
import type { Answer, Caller } from "./server.ts";

/** Approves the batch at this path of the API with each decisive finding acknowledged. */
export async function approveAt(by: Caller, path: string, body: object): Promise<Answer> {
  const { json } = await by.get(`${path}/approval`);
  const found: readonly { finding: string; rows: number }[] = json?.anomalies?.to_acknowledge ?? [];
  const acknowledged = found.map(({ finding, rows }) => ({ finding, rows }));
  return by.post(`${path}/approve`, { ...body, acknowledged });
}

/** Ticks each finding on the open approval page that must be checked before the approval. */
export async function tickFindings(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Your decision" }).waitFor();
  for (const box of await page.locator("input[data-acknowledge]").all()) await box.check();
}
