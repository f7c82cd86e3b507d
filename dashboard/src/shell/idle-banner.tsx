import { useQuery } from "@tanstack/react-query";
import { Timestamp } from "../components/timestamp.tsx";
import { frameQuery } from "./frame-query.ts";
import classes from "./idle-banner.module.css";
import { messages } from "./messages.tsx";

const texts = messages.idle;

/**
 * Shown on every page while payrun does not query the gateway, because shown states may be
 * outdated.
 */
export function IdleBanner() {
  const { data: frame, isError } = useQuery(frameQuery);
  if (!frame?.status_indicator.idle || isError) return null;
  const { since } = frame.status_indicator.idle;
  return (
    <p className={classes.banner} role="status">
      <strong>{texts.title}</strong>
      {since === null ? null : texts.since(<Timestamp at={since} relative={false} />)}.{" "}
      {texts.effect}
    </p>
  );
}
