import { Checkbox, Select, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { ActionForm } from "../../../../components/forms/action-form.tsx";
import { usePerson } from "../../../../server/session.ts";
import { messages } from "../messages.tsx";

const texts = messages.keys;

type Scope = Answer<"GET /api/keys">["items"][number]["scopes"][number];

const DAY_MS = 24 * 60 * 60_000;
const DAYS = Object.entries(texts.days).map(([value, label]) => ({ value, label }));
const SCOPES: Readonly<Record<Scope, string>> = texts.scopes;

/** A new key, whose token is shown once. */
export interface Made {
  readonly key: string;
  readonly name: string;
  readonly unconfirmed: boolean;
}

/** The form for a new API key. */
export function NewKey({ onMade }: { readonly onMade: (made: Made) => void }) {
  const permissions = usePerson()?.permissions ?? [];
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["read"]);
  const [days, setDays] = useState("90");
  const make = useMutation({
    mutationFn: () =>
      call("POST /api/keys", {
        body: {
          name,
          scopes: scopes as Scope[],
          expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        },
      }),
    onSuccess: ({ key, unconfirmed }) => onMade({ key, name, unconfirmed }),
  });
  return (
    <ActionForm action={make} verb={texts.create} disabled={scopes.length === 0}>
      <TextInput
        label={texts.program}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
        required
      />
      <Checkbox.Group label={texts.permissions} value={[...scopes]} onChange={setScopes}>
        <Stack gap="xs" mt="xs">
          {(Object.keys(SCOPES) as Scope[])
            .filter((scope) => permissions.includes(scope))
            .map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={SCOPES[scope]} />
            ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={texts.expiresAfter}
        data={DAYS}
        value={days}
        onChange={(chosen) => setDays(chosen ?? days)}
        allowDeselect={false}
      />
    </ActionForm>
  );
}
