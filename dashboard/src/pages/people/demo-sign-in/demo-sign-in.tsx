import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { Page } from "../../../components/page.tsx";
import { sessionQuery } from "../../../server/session.ts";
import { messages } from "./messages.ts";

/** Signs in with the link that the demo prints. It works only with the simulated gateway. */
export function DemoSignInPage() {
  const client = useQueryClient();
  const router = useRouter();
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const { email, password } = takeFragment();
    const enter = async (): Promise<void> => {
      const { environment } = await client.ensureQueryData(sessionQuery);
      if (environment === "simulated" && email && password) {
        await call("POST /api/session", { body: { email, password } });
        client.clear();
      }
      await router.navigate({ to: "/", replace: true });
    };
    enter().catch(setError);
  }, [client, router]);
  return (
    <Page title={messages.title}>
      {error ? <ErrorState error={error} /> : <Text>{messages.wait}</Text>}
    </Page>
  );
}

/** The credentials of the link, read once and removed from the address and the history. */
let taken: { readonly email: string | null; readonly password: string | null } | null = null;
function takeFragment(): NonNullable<typeof taken> {
  if (taken === null) {
    const fragment = new URLSearchParams(window.location.hash.slice(1));
    taken = { email: fragment.get("email"), password: fragment.get("password") };
    window.history.replaceState(window.history.state, "", window.location.pathname);
  }
  return taken;
}
