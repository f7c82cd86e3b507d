import { useQuery } from "@tanstack/react-query";
import { When } from "../components/when.tsx";
import { frameQuery } from "./frame-query.ts";
import classes from "./standstill-band.module.css";

/** On every page, while nobody asks the gateway: what is called unknown is not being looked into. */
export function StandstillBand() {
  const { data: frame, isError } = useQuery(frameQuery);
  if (!frame?.light.idle || isError) return null;
  const { since } = frame.light.idle;
  return (
    <p className={classes.band} role="status">
      <strong>Nothing is sent, and nothing is asked of the gateway</strong>
      {since === null ? null : (
        <>
          {" "}
          since <When at={since} relative={false} />
        </>
      )}
      . Every payout is shown as it stood then.
    </p>
  );
}
