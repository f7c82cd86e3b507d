import { Alert, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Answer, call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Door } from "./door.tsx";
import { enter } from "./enter.ts";
import { isWeak, NewPassword } from "./new-password.tsx";

const TITLES = {
  setup: "Set up payrun",
  invite: "Welcome to payrun",
  reset: "Choose a new password",
};

/** Where a one-time link leads. Its token stands in the fragment, which no server sees. */
export function LinkPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  // Neither the history nor a look over the shoulder keeps it.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), []);
  const link = useQuery({
    queryKey: ["POST /api/links/look", token],
    queryFn: () => call("POST /api/links/look", { body: { token } }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === "") return <NoLink />;
  if (link.error) {
    return (
      <Door title="This link does not count">
        <ErrorState error={link.error} />
        <Text size="sm">Ask for a new one: an admin makes it in a moment.</Text>
      </Door>
    );
  }
  if (!link.data) {
    return (
      <Door title="One moment">
        <Loading />
      </Door>
    );
  }
  return <Join token={token} link={link.data} />;
}

function NoLink() {
  return (
    <Door title="A link is needed">
      <Text>
        payrun is entered for the first time by a link. The first one is printed where{" "}
        <code>payrun serve</code> was started; <code>payrun user setup-link</code> prints a new one.
        Everybody else is invited by an admin.
      </Text>
    </Door>
  );
}

function Join({
  token,
  link,
}: {
  readonly token: string;
  readonly link: Answer<"POST /api/links/look">;
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
      enter(session);
      await navigate({ href: session.person ? "/" : "/login" });
    },
  });
  return (
    <Door title={TITLES[link.purpose]}>
      {isSetup ? (
        <Alert variant="light">
          You become the first admin: you invite the others and say what they may do. An admin moves
          no money.
        </Alert>
      ) : (
        <Text>
          {link.name}, {link.email}
        </Text>
      )}
      <ActionForm action={join} verb="Go in" error={isWeak(join.error) ? null : join.error}>
        {isSetup ? (
          <>
            <TextInput
              label="Your name"
              autoComplete="name"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              required
            />
            <TextInput
              label="E-mail"
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
        <NewPassword value={password} onChange={setPassword} error={join.error} />
      </ActionForm>
    </Door>
  );
}
