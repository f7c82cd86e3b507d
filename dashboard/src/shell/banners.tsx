import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Timestamp } from "../components/timestamp.tsx";
import { usePerson } from "../server/session.ts";
import { frameQuery } from "./frame-query.ts";
import idle from "./idle-banner.module.css";
import { messages } from "./messages.tsx";
import secondFactor from "./second-factor-banner.module.css";

/** The banners above every page. */
export default function Banners() {
  return (
    <>
      <IdleBanner />
      <SecondFactorBanner />
    </>
  );
}

/**
 * Shown on every page while payrun does not query the gateway, because shown states may be
 * outdated.
 */
function IdleBanner() {
  const { data: frame, isError } = useQuery(frameQuery);
  if (!frame?.status_indicator.idle || isError) return null;
  const { since } = frame.status_indicator.idle;
  return (
    <p className={idle.banner} role="status">
      <strong>{messages.idle.title}</strong>
      {since === null ? null : messages.idle.since(<Timestamp at={since} relative={false} />)}.{" "}
      {messages.idle.effect}
    </p>
  );
}

/** Shown on every page to a user whose role requires a second factor, until they set it up. */
function SecondFactorBanner() {
  const missing = usePerson()?.second_factor_missing ?? [];
  if (missing.length === 0) return null;
  return (
    <p className={secondFactor.banner} role="status">
      {messages.secondFactor(missing, (text) => (
        <Link to="/profile">{text}</Link>
      ))}
    </p>
  );
}
