import { expect, test } from "vitest";
import { causeName } from "../../../dashboard/src/pages/operations/failures/cause-name.ts";

test.each([
  ["refused: bank not found", "The gateway refused the payout.", "Bank not found"],
  ["failed_at_gateway", "The gateway paid. It failed later.", "The gateway paid"],
  ["no_answer", "The gateway reports error 11.5 again.", "The gateway reports error 11.5 again"],
  [null, "no reason recorded", "no reason recorded"],
])("names the cause %j by its text or the first sentence", (reason, meaning, name) => {
  expect(causeName({ reason, meaning })).toBe(name);
});
