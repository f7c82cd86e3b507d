import { expect, test } from "vitest";
import { fieldProblemText, problemText } from "../../../dashboard/src/base/text.ts";

test.each([
  ["body.lead_hours", "at most 720", "lead hours: at most 720"],
  ["body.limits.0.amount", "an amount such as 1000", "limits 1 amount: an amount such as 1000"],
  ["body", "unknown name: x", "unknown name: x"],
  [
    "body.calendar.zone",
    "a time zone such as Asia/Kolkata",
    "payrun does not know this time zone. Enter one such as Asia/Kolkata.",
  ],
])("labels %s in plain words", (place, message, words) => {
  expect(fieldProblemText({ place, message })).toBe(words);
});

test("names missing fields once", () => {
  const problem = { type: "about:blank", title: "There is no such thing", status: 404 };
  const code = "not_found";
  const said = "There is no batch B1.";
  expect(problemText({ ...problem, code, detail: said })).toMatchObject({
    title: said,
    detail: "",
  });
  expect(problemText({ ...problem, code })).toMatchObject({ title: problem.title, detail: "" });
});
