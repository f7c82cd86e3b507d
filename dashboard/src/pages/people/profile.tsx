import { Button, PasswordInput, Switch, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { useCompactRows } from "../../base/density.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { type Person, sessionQuery, usePerson } from "../../server/session.ts";
import { readerZone } from "../../base/time-zone.ts";
import { ZoneField } from "../../components/forms/zone-field.tsx";
import { startSession } from "./start-session.ts";
import { isWeakPassword, NewPasswordField } from "./new-password.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { messages } from "./messages.tsx";
import classes from "./profile.module.css";

const texts = messages.profile;

type OpenSession = Answer<"GET /api/profile/sessions">["items"][number];

/** The page on which users change their password, second factor and sessions. */
export function ProfilePage() {
  const person = usePerson();
  return (
    <Page title={texts.title}>
      <Text>{texts.person(person?.name, person?.email ?? "", person?.roles)}</Text>
      {person ? <SecondFactor person={person} /> : null}
      <ChangePassword />
      <Sessions />
      {person ? <Display person={person} /> : null}
      {person ? <Mails isOn={person.mails_assignments} /> : null}
    </Page>
  );
}

function Display({ person }: { readonly person: Person }) {
  const [compact, setCompact] = useCompactRows();
  return (
    <Section title={texts.display}>
      <TimeZone chosen={person.time_zone} />
      <Switch
        label={texts.compactRows}
        description={texts.compactRowsHint}
        checked={compact}
        onChange={({ currentTarget }) => setCompact(currentTarget.checked)}
      />
    </Section>
  );
}

/** The e-mails that the user can turn off. */
function Mails({ isOn }: { readonly isOn: boolean }) {
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: (mails: boolean) =>
      call("PUT /api/profile/preferences", { body: { mails_assignments: mails } }),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  return (
    <Section title={texts.mails}>
      <Switch
        label={texts.mailsAssignments}
        description={texts.mailsAssignmentsHint}
        checked={set.isPending ? set.variables : isOn}
        onChange={({ currentTarget }) => set.mutate(currentTarget.checked)}
      />
      {set.error ? <ErrorState error={set.error} /> : null}
    </Section>
  );
}

/** The zone in which the dashboard shows times: that of the browser, or one for all browsers. */
function TimeZone({ chosen }: { readonly chosen: string | null }) {
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: (zone: string | null) =>
      call("PUT /api/profile/preferences", { body: { time_zone: zone } }),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  return (
    <div className={classes.zone}>
      <ZoneField
        label={texts.timeZone}
        description={texts.timeZoneHint}
        value={readerZone()}
        onChange={(zone) => set.mutate(zone)}
        disabled={set.isPending}
      />
      {chosen === null ? null : (
        <Button variant="default" loading={set.isPending} onClick={() => set.mutate(null)}>
          {texts.browserZone}
        </Button>
      )}
      {set.error ? <ErrorState error={set.error} /> : null}
    </div>
  );
}

function ChangePassword() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => call("POST /api/profile/password", { body: { current, password } }),
    onSuccess: (session) => {
      startSession(session);
      setCurrent("");
      setPassword("");
      notifications.show({ message: texts.changed });
    },
  });
  return (
    <Section title={messages.password}>
      <ActionForm
        action={change}
        verb={texts.change}
        error={isWeakPassword(change.error) ? null : change.error}
        narrow
      >
        <PasswordInput
          label={texts.current}
          autoComplete="current-password"
          value={current}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          required
        />
        <NewPasswordField
          value={password}
          onChange={setPassword}
          check={(typed, signal) =>
            call("POST /api/profile/password-check", { body: { password: typed }, signal })
          }
          error={change.error}
        />
      </ActionForm>
    </Section>
  );
}

function Sessions() {
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey: ["GET /api/profile/sessions"],
    queryFn: ({ signal }) => call("GET /api/profile/sessions", { signal }),
  });
  const end = useMutation({
    mutationFn: (id: string) => call("DELETE /api/profile/sessions/:id", { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["GET /api/profile/sessions"] }),
  });
  return (
    <Section title={texts.sessions}>
      {(sessions.error ?? end.error) ? <ErrorState error={sessions.error ?? end.error} /> : null}
      <DataTable
        caption={texts.openSessions}
        hideCaption
        rows={sessions.data?.items ?? []}
        rowKey={({ id }) => id}
        columns={columnsOf(end.mutate)}
      />
    </Section>
  );
}

const columnsOf = (onEnd: (id: string) => void): Column<OpenSession>[] => [
  { key: "agent", header: texts.browser, cell: ({ agent }) => browserOf(agent), names: true },
  { key: "address", header: texts.address, cell: ({ address }) => address },
  { key: "seen", header: texts.seen, cell: ({ seen_at }) => <Timestamp at={seen_at} /> },
  {
    key: "end",
    header: texts.action,
    card: "action",
    cell: ({ id, agent, is_current }) =>
      is_current ? (
        texts.thisSession
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={texts.endOf(browserOf(agent))}
          onClick={() => onEnd(id)}
        >
          {texts.end}
        </Button>
      ),
  },
];

/** "Firefox on Linux", so that users recognise their own sessions. */
function browserOf(agent: string): string {
  const browser = ["Edg", "Firefox", "Chrome", "Safari"].find((name) => agent.includes(name));
  const system = ["Android", "iPhone", "Windows", "Mac", "Linux"].find((name) =>
    agent.includes(name),
  );
  if (!browser) return agent === "" ? texts.program : agent.slice(0, 40);
  const name = browser === "Edg" ? "Edge" : browser;
  return system ? texts.browserOn(name, system) : name;
}
