import { expect, test } from "vitest";
import { deliveryOfTest } from "../../dashboard/src/pages/people/settings/channels/delivery-of-test.ts";

const SINCE = "2026-11-28T10:00:00.000Z";
const delivery = (event: string, channel_id: string, second: string) => ({
  event,
  channel_id,
  updated_at: `2026-11-28T10:00:${second}.000Z`,
});

test("finds the latest delivery of a test of the channel", () => {
  const latest = delivery("test", "C1", "05");
  const others = [delivery("test", "C2", "06"), delivery("batch_approved", "C1", "07")];
  expect(deliveryOfTest([delivery("test", "C1", "02"), latest, ...others], "C1", SINCE)).toBe(
    latest,
  );
});

test("waits until the log has a delivery since the test was started", () => {
  const before = { ...delivery("test", "C1", "00"), updated_at: "2026-11-28T09:59:59.000Z" };
  expect(deliveryOfTest([before], "C1", SINCE)).toBe("sending");
});
