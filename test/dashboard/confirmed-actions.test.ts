import { expect, test } from "vitest";
import { API } from "#api/api.ts";
import { dialogMessages } from "../../dashboard/src/shell/dialog-messages.ts";

test("the dialog that asks for the password or a code names every action that needs it", () => {
  const proven = Object.entries(API).flatMap(([name, operation]) =>
    "stepUp" in operation && operation.stepUp ? [name] : [],
  );
  expect(proven).toContain("POST /api/batches/:id/approve");
  expect(Object.keys(dialogMessages.stepUp.actions).sort()).toEqual(proven.sort());
});
