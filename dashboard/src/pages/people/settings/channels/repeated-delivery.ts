/** A delivery that the reader sent again on this page. */
export interface Repeated {
  readonly notice_id: string;
  readonly channel_id: string;
  /** Earlier results belong to earlier attempts. */
  readonly since: string;
}

interface Delivered extends Omit<Repeated, "since"> {
  readonly updated_at: string;
}

/** Returns the repeated delivery. "sending": the log does not have its new attempt yet. */
export const repeatedDelivery = <Delivery extends Delivered>(
  deliveries: readonly Delivery[],
  { notice_id, channel_id, since }: Repeated,
): Delivery | "sending" =>
  deliveries.find(
    (each) =>
      each.notice_id === notice_id && each.channel_id === channel_id && each.updated_at >= since,
  ) ?? "sending";
