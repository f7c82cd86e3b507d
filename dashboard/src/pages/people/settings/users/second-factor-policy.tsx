import { Alert, Checkbox, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../../server/client.ts";
import { ErrorState } from "../../../../components/error-state.tsx";
import { Section } from "../../../../components/section.tsx";
import { sessionQuery } from "../../../../server/session.ts";
import { ROLE_NAMES, type Role } from "../role-choice.tsx";
import { SaveRules } from "../save-rules.tsx";
import { messages } from "../messages.tsx";

const texts = messages.secondFactor;

const POLICY = ["GET /api/second-factor-policy"];

/** The roles that require a second factor. */
export function SecondFactorPolicy() {
  const { data, error } = useQuery({
    queryKey: POLICY,
    queryFn: ({ signal }) => call("GET /api/second-factor-policy", { signal }),
    staleTime: Infinity,
  });
  return (
    <div id="second-factor">
      <Section title={texts.title}>
        {error ? <ErrorState error={error} /> : null}
        {data ? <Editor key={data.roles.join()} saved={data.roles} /> : null}
      </Section>
    </div>
  );
}

function Editor({ saved }: { readonly saved: readonly Role[] }) {
  const [roles, setRoles] = useState<readonly Role[]>(saved);
  const queries = useQueryClient();
  const body = { roles: [...roles] };
  return (
    <>
      {saved.length === 0 ? (
        <Alert color="yellow" variant="light" title={texts.none}>
          {texts.noneHint}
        </Alert>
      ) : null}
      <Checkbox.Group
        label={texts.label}
        description={texts.hint}
        value={[...roles]}
        onChange={(chosen: Role[]) => setRoles(chosen)}
      >
        <Group mt="xs">
          {ROLE_NAMES.map((role) => (
            <Checkbox key={role} value={role} label={role} />
          ))}
        </Group>
      </Checkbox.Group>
      <Text size="sm" mt="xs">
        {texts.removing}
      </Text>
      <SaveRules
        verb={texts.save}
        isValid={roles.toSorted().join() !== saved.toSorted().join()}
        put={async () => {
          const policy = await call("PUT /api/second-factor-policy", { body });
          // The admin may have one of the roles, and no second factor.
          void queries.invalidateQueries(sessionQuery);
          return policy;
        }}
        change={{ kind: "second_factor_policy", ...body }}
        queryKey={POLICY}
        says={texts.saved}
      />
    </>
  );
}
