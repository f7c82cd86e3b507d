import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";
import { plural } from "../../words.ts";
import classes from "./pending-changes.module.css";
import { PENDING } from "./propose.ts";
import { ShownOnce } from "./shown-once.tsx";

type Change = Answer<"GET /api/pending-changes">["items"][number];

/** What one admin has proposed and another one has to confirm, above whatever it would change. */
export function PendingChanges() {
  const queries = useQueryClient();
  const pending = useQuery({
    queryKey: PENDING,
    queryFn: ({ signal }) => call("GET /api/pending-changes", { signal }),
    refetchInterval: 30_000,
  });
  const decide = useMutation({
    mutationFn: async ({ id, verb }: { id: string; verb: "confirm" | "withdraw" }) => {
      if (verb === "confirm")
        return (await call("POST /api/pending-changes/:id/confirm", { params: { id } })).link;
      await call("POST /api/pending-changes/:id/withdraw", { params: { id } });
      return null;
    },
    // It may have changed whatever the page shows.
    onSettled: () => queries.invalidateQueries(),
  });
  const error = pending.error ?? decide.error;
  const link = decide.data;
  const { items = [], other_admins = null } = pending.data ?? {};
  return (
    <>
      {error ? <ErrorState error={error} /> : null}
      {link ? (
        <ShownOnce
          title="The link that was asked for"
          text="Hand it to the person it is for, and to nobody else. It counts once, for 24 hours, and is not shown again."
          secret={`${window.location.origin}${link.path}`}
        />
      ) : null}
      {other_admins === 0 ? (
        <Text size="sm" c="dimmed">
          You are the only admin who can sign in: what takes a second one takes effect at once, and
          the audit log says so.
        </Text>
      ) : null}
      {items.length > 0 ? (
        <Section title={`${plural(items.length, "change")} waiting for a second admin`}>
          <ul className={classes.list}>
            {items.map((change) => (
              <Waiting
                key={change.id}
                change={change}
                busy={decide.isPending}
                onDecide={(verb) => decide.mutate({ id: change.id, verb })}
              />
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

function Waiting({
  change: { says, proposed_by, at, expires_at, own },
  busy,
  onDecide,
}: {
  readonly change: Change;
  readonly busy: boolean;
  readonly onDecide: (verb: "confirm" | "withdraw") => void;
}) {
  const [first = ""] = says;
  return (
    <li className={classes.change}>
      <Stack gap={4}>
        {says.map((line) => (
          <strong key={line}>{line}</strong>
        ))}
        <Text size="sm">
          Proposed by {own ? "you" : proposed_by.name}, <When at={at} />. It falls if nobody
          confirms it by <When at={expires_at} />.
        </Text>
        {own ? <Text size="sm">Another admin confirms it here.</Text> : null}
      </Stack>
      <Group gap="xs">
        {own ? null : (
          <Button
            size="xs"
            disabled={busy}
            aria-label={`Confirm: ${first}`}
            onClick={() => onDecide("confirm")}
          >
            Confirm
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          disabled={busy}
          aria-label={`${own ? "Take back" : "Refuse"}: ${first}`}
          onClick={() => onDecide("withdraw")}
        >
          {own ? "Take back" : "Refuse"}
        </Button>
      </Group>
    </li>
  );
}
