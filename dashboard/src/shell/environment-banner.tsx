import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../server/session.ts";
import classes from "./environment-banner.module.css";
import { messages } from "./messages.tsx";

/** Names the environment on every page, in words and colour. */
export function EnvironmentBanner() {
  const environment = useQuery(sessionQuery).data?.environment;
  if (!environment) return null;
  const { name, meaning } = messages.environments[environment];
  return (
    <p className={classes.banner} data-environment={environment}>
      <strong>{name}</strong> · {meaning}
    </p>
  );
}
