import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../session.ts";
import classes from "./environment-band.module.css";

const WORDS = {
  live: { name: "LIVE", means: "real money" },
  sandbox: { name: "SANDBOX", means: "a test gateway, no real money moves" },
  simulated: { name: "SANDBOX", means: "simulated gateway, no real money moves" },
};

/** Where one is, in words and in colour, on every page. */
export function EnvironmentBand() {
  const environment = useQuery(sessionQuery).data?.environment;
  if (!environment) return null;
  const { name, means } = WORDS[environment];
  return (
    <p className={classes.band} data-environment={environment}>
      <strong>{name}</strong> · {means}
    </p>
  );
}
