import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../server/session.ts";
import classes from "./environment.module.css";
import { messages } from "./messages.tsx";

/** The name, meaning and tone of the environment. Real money has the tone that warns. */
function useEnvironment() {
  const environment = useQuery(sessionQuery).data?.environment;
  if (!environment) return null;
  return {
    ...messages.environments[environment],
    tone: environment === "live" ? "hold" : "settled",
  };
}

/** The environment next to the product name, in words and colour. Its meaning is also spoken. */
export function EnvironmentBadge() {
  const environment = useEnvironment();
  if (environment === null) return null;
  return (
    <span className={classes.name} data-tone={environment.tone} title={environment.meaning}>
      {environment.name}
      <VisuallyHidden> · {environment.meaning}</VisuallyHidden>
    </span>
  );
}

/** The environment as a banner with its meaning, for the pages before sign-in. */
export function EnvironmentBanner() {
  const environment = useEnvironment();
  if (environment === null) return null;
  return (
    <p className={classes.banner} data-tone={environment.tone}>
      <strong>{environment.name}</strong> · {environment.meaning}
    </p>
  );
}
