interface Delivered {
  readonly event: string;
  readonly channel_id: string;
  readonly updated_at: string;
}

/**
 * Returns the delivery of the last test of a channel since the reader started it. "sending": the
 * log does not have it yet.
 */
export const deliveryOfTest = <Delivery extends Delivered>(
  deliveries: readonly Delivery[],
  channel: string,
  since: string,
): Delivery | "sending" =>
  deliveries
    .filter(
      ({ event, channel_id: id, updated_at: at }) =>
        event === "test" && id === channel && at >= since,
    )
    .toSorted((one, other) => (one.updated_at < other.updated_at ? 1 : -1))[0] ?? "sending";

/** Whether the receiver has not answered the test yet. */
export const isWaiting = (
  of: { readonly state: string; readonly attempts: number } | "sending",
): boolean => of === "sending" || (of.state === "waiting" && of.attempts === 0);
