import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { useMay } from "../../../server/session.ts";
import classes from "./pending-changes.module.css";
import { pendingChangesQuery } from "./change-or-propose.ts";
import { OneTimeSecret } from "./one-time-secret.tsx";
import { messages } from "./messages.tsx";

const texts = messages.pending;

type Change = Answer<"GET /api/pending-changes">["items"][number];

/** The changes that wait for a second admin, or for the 24 hours of a lone admin. */
export function PendingChanges() {
  const queries = useQueryClient();
  const pending = useQuery(pendingChangesQuery);
  const decide = useMutation({
    mutationFn: async ({ id, verb }: { id: string; verb: "confirm" | "withdraw" }) => {
      if (verb === "confirm")
        return (await call("POST /api/pending-changes/:id/confirm", { params: { id } })).link;
      await call("POST /api/pending-changes/:id/withdraw", { params: { id } });
      return null;
    },
    // The change may affect any data on the page.
    onSettled: () => queries.invalidateQueries(),
  });
  const error = pending.error ?? decide.error;
  const link = decide.data;
  const { items = [], other_admins = null, is_set_up = true } = pending.data ?? {};
  const isAdmin = useMay("administer");
  return (
    <>
      {error ? <ErrorState error={error} /> : null}
      {link ? (
        <OneTimeSecret
          title={texts.link}
          text={texts.linkHint}
          secret={`${window.location.origin}${link.path}`}
        />
      ) : null}
      {isAdmin && other_admins === 0 ? (
        <Text size="sm" c="dimmed">
          {is_set_up ? texts.loneAdmin : texts.settingUp}
        </Text>
      ) : null}
      {items.length > 0 ? (
        <Section title={texts.title(items.length)}>
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
  change: { kind, says, proposed_by, at, expires_at, takes_effect_at, own, may_confirm },
  busy,
  onDecide,
}: {
  readonly change: Change;
  readonly busy: boolean;
  readonly onDecide: (verb: "confirm" | "withdraw") => void;
}) {
  const [first = ""] = says;
  const makesLink = kind === "invite" || kind === "link";
  const confirm = own ? ownVerb(kind) : texts.confirm;
  const reject = own ? texts.withdraw : texts.reject;
  return (
    <li className={classes.change}>
      <Stack gap={4}>
        {says.map((line) => (
          <strong key={line}>{line}</strong>
        ))}
        <Text size="sm">
          {texts.proposedBy(own ? texts.you : proposed_by.name, <Timestamp at={at} />)}{" "}
          {!takes_effect_at
            ? texts.confirmBy(kind === "key", <Timestamp at={expires_at} />)
            : (makesLink ? texts.linkFrom : texts.effectiveFrom)(
                <Timestamp at={takes_effect_at} />,
              )}
        </Text>
      </Stack>
      <Group gap="xs">
        {may_confirm ? (
          <Button
            size="xs"
            disabled={busy}
            aria-label={texts.labelOf(confirm, first)}
            onClick={() => onDecide("confirm")}
          >
            {confirm}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="default"
          disabled={busy}
          aria-label={texts.labelOf(reject, first)}
          onClick={() => onDecide("withdraw")}
        >
          {reject}
        </Button>
      </Group>
    </li>
  );
}

/** The action of a lone admin on a change once its 24 hours have passed. */
const ownVerb = (kind: Change["kind"]): string =>
  kind === "invite"
    ? messages.users.createInvitation
    : kind === "link"
      ? messages.users.createPasswordLink
      : texts.makeChange;
