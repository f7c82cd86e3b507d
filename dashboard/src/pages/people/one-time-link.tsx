import { Alert, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";
import { startSession } from "./start-session.ts";
import { isWeakPassword, NewPasswordField } from "./new-password.tsx";
import { messages } from "./messages.tsx";

const texts = messages.link;

/** The page of a one-time link. Its token is in the fragment, which is never sent to a server. */
export function OneTimeLinkPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  // Removes the token from the address and the history.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), []);
  const link = useQuery({
    queryKey: ["POST /api/links/inspect", token],
    queryFn: () => call("POST /api/links/inspect", { body: { token } }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === "") return <NoLink />;
  if (link.error) {
    return (
      <SignedOutPage title={texts.notValid}>
        <ErrorState error={link.error} />
        <Text size="sm">{texts.askForNew}</Text>
      </SignedOutPage>
    );
  }
  if (!link.data) {
    return (
      <SignedOutPage title={texts.loading}>
        <Loading />
      </SignedOutPage>
    );
  }
  return <Join token={token} link={link.data} />;
}

/** A user whose role requires a second factor sets it up next. */
const afterJoining = ({ person }: Answer<"POST /api/links/use">) =>
  person ? (person.second_factor_missing.length > 0 ? "/profile" : "/") : "/login";

function NoLink() {
  return (
    <SignedOutPage title={texts.needed}>
      <Text>
        {texts.howToGet((command) => (
          <code>{command}</code>
        ))}
      </Text>
    </SignedOutPage>
  );
}

function Join({
  token,
  link,
}: {
  readonly token: string;
  readonly link: Answer<"POST /api/links/inspect">;
}) {
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const isSetup = link.purpose === "setup";
  const join = useMutation({
    mutationFn: () =>
      call("POST /api/links/use", {
        body: { token, password, ...(isSetup ? { email, name } : {}) },
      }),
    onSuccess: async (session) => {
      startSession(session);
      await navigate({ to: afterJoining(session) });
    },
  });
  return (
    <SignedOutPage title={texts.titles[link.purpose]}>
      {isSetup ? (
        <Alert variant="light">{texts.firstAdmin}</Alert>
      ) : (
        <Text>
          {link.name}, {link.email}
        </Text>
      )}
      <ActionForm
        action={join}
        verb={texts.submit}
        error={isWeakPassword(join.error) ? null : join.error}
      >
        {isSetup ? (
          <>
            <TextInput
              label={texts.name}
              autoComplete="name"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              required
            />
            <TextInput
              label={messages.email}
              type="email"
              autoComplete="username"
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
              required
            />
          </>
        ) : (
          <input type="hidden" autoComplete="username" value={link.email ?? ""} readOnly />
        )}
        <NewPasswordField value={password} onChange={setPassword} error={join.error} />
      </ActionForm>
    </SignedOutPage>
  );
}
