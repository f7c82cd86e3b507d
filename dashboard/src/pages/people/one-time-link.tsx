import { Alert, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { type Person } from "../../server/session.ts";
import { OfferSecondFactor } from "./offer-second-factor.tsx";
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
  const [joined, setJoined] = useState<Person | null>(null);
  const link = useQuery({
    queryKey: ["POST /api/links/inspect", token],
    queryFn: () => call("POST /api/links/inspect", { body: { token } }),
    enabled: token !== "" && joined === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (joined) return <OfferSecondFactor person={joined} />;
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
  return <Join token={token} link={link.data} onJoined={setJoined} />;
}

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

/** Returns the check of a password by the server for the person of this link. */
const checkFor =
  (person: { readonly token: string; readonly email?: string; readonly name?: string }) =>
  (password: string, signal: AbortSignal) =>
    call("POST /api/links/password-check", { body: { ...person, password }, signal });

function JoiningPerson({ link }: { readonly link: Answer<"POST /api/links/inspect"> }) {
  if (link.purpose === "setup") return <Alert variant="light">{texts.firstAdmin}</Alert>;
  return (
    <Text>
      {link.name}, {link.email}
    </Text>
  );
}

function Join({
  token,
  link,
  onJoined,
}: {
  readonly token: string;
  readonly link: Answer<"POST /api/links/inspect">;
  /** Called with a person who has no second factor yet. */
  readonly onJoined: (person: Person) => void;
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
      const { person } = session;
      if (person && !person.has_totp) onJoined(person);
      startSession(session);
      if (person?.has_totp !== false) await navigate({ to: person ? "/" : "/login" });
    },
  });
  return (
    <SignedOutPage title={texts.titles[link.purpose]}>
      <JoiningPerson link={link} />
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
        <NewPasswordField
          value={password}
          onChange={setPassword}
          check={checkFor({ token, ...(isSetup ? { email, name } : {}) })}
          error={join.error}
        />
      </ActionForm>
    </SignedOutPage>
  );
}
