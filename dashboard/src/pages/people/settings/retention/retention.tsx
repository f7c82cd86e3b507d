import { Checkbox, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorState } from "../../../../components/error-state.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { Section } from "../../../../components/section.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import { type Answer, call } from "../../../../server/client.ts";
import { useMay } from "../../../../server/session.ts";
import { SaveRules } from "../save-rules.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { messages as texts } from "./messages.ts";

type Retention = Answer<"GET /api/retention">;
type Kind = keyof Retention["rules"];

const RETENTION = ["GET /api/retention"];
const KINDS = Object.keys(texts.kinds) as readonly Kind[];

/** How long each kind of data is kept. */
export function RetentionPage() {
  const mayChange = useMay("administer");
  const { data, error } = useQuery({
    queryKey: RETENTION,
    queryFn: ({ signal }) => call("GET /api/retention", { signal }),
    staleTime: Infinity,
  });
  return (
    <SettingsPage title={texts.title}>
      <Text>{texts.explanation}</Text>
      {error ? <ErrorState error={error} /> : null}
      {data ? (
        <Section title={texts.rules} caption={<LastRun at={data.ran_at} mayCount={mayChange} />}>
          <Editor key={JSON.stringify(data)} saved={data} mayChange={mayChange} />
        </Section>
      ) : error ? null : (
        <Loading lines={6} />
      )}
    </SettingsPage>
  );
}

function Editor({ saved, mayChange }: { readonly saved: Retention; readonly mayChange: boolean }) {
  const [rules, setRules] = useState(saved.rules);
  const [isHeld, setHeld] = useState(saved.hold !== null);
  const [reason, setReason] = useState(saved.hold ?? "");
  const hold = isHeld ? reason.trim() : null;
  const body = { rules, hold };
  const isChanged =
    JSON.stringify(body) !== JSON.stringify({ rules: saved.rules, hold: saved.hold });
  return (
    <Stack maw="36rem">
      {KINDS.map((kind) => (
        <NumberInput
          key={kind}
          label={texts.kinds[kind].label}
          description={texts.kinds[kind].hint}
          placeholder={texts.noRule}
          suffix={texts.days}
          allowDecimal={false}
          allowNegative={false}
          readOnly={!mayChange}
          value={rules[kind] ?? ""}
          onChange={(value) => setRules({ ...rules, [kind]: value === "" ? null : Number(value) })}
        />
      ))}
      <Checkbox
        label={texts.isHeld}
        checked={isHeld}
        disabled={!mayChange}
        onChange={(event) => setHeld(event.currentTarget.checked)}
      />
      {isHeld ? (
        <TextInput
          label={texts.reason}
          value={reason}
          readOnly={!mayChange}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      {mayChange ? (
        <>
          <Text size="sm">{texts.twoAdmins}</Text>
          <SaveRules
            verb={texts.save}
            isValid={isChanged && hold !== ""}
            put={async () => ({
              ...(await call("PUT /api/retention", { body })),
              ran_at: saved.ran_at,
            })}
            change={{ kind: "retention", ...body }}
            queryKey={RETENTION}
            says={texts.saved}
          />
        </>
      ) : null}
    </Stack>
  );
}

function LastRun({ at, mayCount }: { readonly at: string | null; readonly mayCount: boolean }) {
  const { data } = useQuery({
    queryKey: ["GET /api/retention/expired"],
    queryFn: ({ signal }) => call("GET /api/retention/expired", { signal }),
    enabled: mayCount,
  });
  const rows = data && Object.values(data.expired).reduce((sum, count) => sum + count, 0);
  return (
    <>
      {texts.lastRun}: {at === null ? texts.never : <Timestamp at={at} />}
      {rows === undefined ? null : `. ${texts.expired(rows)}.`}
    </>
  );
}
