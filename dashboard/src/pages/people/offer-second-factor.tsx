import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { call } from "../../server/client.ts";
import { type Person, sessionQuery } from "../../server/session.ts";
import { messages } from "./messages.tsx";
import { Enrolment, RecoveryCodes } from "./second-factor.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";

const texts = messages.offer;

/**
 * Offers the second factor to a person who has just chosen a password. The person can skip it
 * unless a role requires it.
 */
export function OfferSecondFactor({
  person: { second_factor_missing: missing },
}: {
  readonly person: Pick<Person, "second_factor_missing">;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [recovery, setRecovery] = useState<readonly string[] | null>(null);
  const begin = useMutation({ mutationFn: () => call("POST /api/profile/totp") });
  const keep = (codes: readonly string[]): void => {
    setRecovery(codes);
    void queries.invalidateQueries(sessionQuery);
  };
  const goHome = (): void => void navigate({ to: "/" });
  if (recovery) {
    return (
      <SignedOutPage title={texts.done}>
        <RecoveryCodes codes={recovery} />
        <Button onClick={goHome}>{texts.proceed}</Button>
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage title={texts.title}>
      <Text size="sm">{missing.length > 0 ? texts.required(missing) : texts.why}</Text>
      {begin.error ? <ErrorState error={begin.error} /> : null}
      {begin.data ? <Enrolment enrolment={begin.data} onKept={keep} /> : null}
      <Group>
        {begin.data ? null : (
          <Button loading={begin.isPending} onClick={() => begin.mutate()}>
            {texts.setUp}
          </Button>
        )}
        {missing.length > 0 ? null : (
          <Button variant="default" onClick={goHome}>
            {texts.skip}
          </Button>
        )}
      </Group>
    </SignedOutPage>
  );
}
