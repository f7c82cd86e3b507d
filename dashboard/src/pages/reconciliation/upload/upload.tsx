import {
  Button,
  Checkbox,
  FileInput,
  NativeSelect,
  Progress,
  SimpleGrid,
  Stack,
  Text,
} from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { ErrorState } from "../../../components/error-state.tsx";
import { CheckedInput } from "../../../components/forms/amount-input.tsx";
import { DateField } from "../../../components/forms/date-field.tsx";
import { Page } from "../../../components/page.tsx";
import { useLaneName } from "../../../components/payout/lane-name.tsx";
import { Section } from "../../../components/section.tsx";
import { useLanes } from "../use-lanes.ts";
import { ComparisonResult } from "./comparison-result.tsx";
import { MappingForm } from "./mapping-form.tsx";
import { UnreadableStatement } from "./unreadable-statement.tsx";
import { messages as texts } from "./messages.ts";
import classes from "./upload.module.css";
import { refusalOf, type StatementAmounts } from "./statement-amounts.ts";
import { currencyOf, EMPTY_STATEMENT, type StatementDraft, useStatement } from "./use-statement.ts";

const route = getRouteApi("/dashboard/reconciliation/upload");
const crumbs = [{ to: "/reconciliation", label: texts.parent }];

/** Uploads a statement: its account and day, then the mapping of its columns, then the result. */
export function StatementPage() {
  const { lane = "", day = "" } = route.useSearch();
  const [draft, setDraft] = useState<StatementDraft>({ ...EMPTY_STATEMENT, lane, day });
  const statement = useStatement(draft);
  const { question, outside, result, problems, error } = statement;
  return (
    <Page title={texts.title} crumbs={crumbs} facts={texts.explained}>
      {result ? null : (
        <Section title={texts.statement}>
          <StatementForm draft={draft} onDraft={setDraft} statement={statement} />
        </Section>
      )}
      {question ? (
        <MappingForm
          key={JSON.stringify(question.mapping)}
          question={question}
          isSending={statement.isSending}
          onConfirm={statement.confirm}
        />
      ) : null}
      {outside === null ? null : (
        <Section title={texts.statement}>
          <Stack align="start">
            <Text size="sm">{texts.outside(outside, draft.day)}</Text>
            <Button loading={statement.isSending} onClick={() => statement.confirmOutside(outside)}>
              {texts.confirmOutside}
            </Button>
          </Stack>
        </Section>
      )}
      {problems ? <UnreadableStatement problems={problems} /> : null}
      {error ? <ErrorState error={error} /> : null}
      {result ? (
        <ComparisonResult
          of={result}
          onNext={() => {
            setDraft({ ...EMPTY_STATEMENT, day: draft.day });
            statement.restart();
          }}
        />
      ) : null}
    </Page>
  );
}

function StatementForm({
  draft,
  onDraft,
  statement,
}: {
  readonly draft: StatementDraft;
  readonly onDraft: (draft: StatementDraft) => void;
  readonly statement: ReturnType<typeof useStatement>;
}) {
  const lanes = useLanes();
  const laneName = useLaneName();
  const set = (change: Partial<StatementDraft>) => onDraft({ ...draft, ...change });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        statement.send();
      }}
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <NativeSelect
            label={texts.lane}
            description={texts.laneHint}
            data={[
              { value: "", label: texts.chooseLane },
              ...lanes.map((lane) => ({ value: lane, label: laneName(lane) })),
            ]}
            value={draft.lane}
            onChange={({ currentTarget }) => set({ lane: currentTarget.value })}
            required
          />
          <DateField
            label={texts.day}
            value={draft.day}
            description={texts.dayHint}
            onChange={(day) => set({ day })}
            required
          />
          <FileInput
            label={texts.file}
            description={texts.fileHint}
            placeholder={texts.chooseFile}
            accept=".csv,.txt,.tsv,.xlsx,.xml"
            value={draft.file}
            onChange={(file) => set({ file })}
            required
          />
        </SimpleGrid>
        <Options draft={draft} onChange={set} />
        {statement.isSending ? (
          <Progress value={statement.sent * 100} aria-label={texts.sending} />
        ) : null}
        <div>
          <Button
            type="submit"
            loading={statement.isSending}
            disabled={!draft.file || draft.lane === "" || draft.day === ""}
          >
            {texts.compare}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface Fields {
  readonly draft: StatementDraft;
  readonly onChange: (change: Partial<StatementDraft>) => void;
}

/** The optional parts of an upload. */
const Options = ({ draft, onChange }: Fields) => (
  <details className={classes.options}>
    <summary>{texts.options}</summary>
    <AmountFields
      text={texts.balances}
      names={["opening", "closing", "deposits"]}
      draft={draft}
      onChange={onChange}
    />
    <AmountFields
      text={texts.control}
      names={["lines", "total"]}
      draft={draft}
      onChange={onChange}
    />
    <Checkbox
      label={texts.isReview}
      checked={draft.isReview}
      onChange={({ currentTarget }) => onChange({ isReview: currentTarget.checked })}
    />
  </details>
);

/** Optional numbers about the statement. */
const AmountFields = ({
  text,
  names,
  draft,
  onChange,
}: Fields & { readonly text: string; readonly names: readonly (keyof StatementAmounts)[] }) => (
  <>
    <Text size="sm" c="dimmed">
      {text}
    </Text>
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {names.map((name) => (
        <CheckedInput
          key={name}
          label={texts[name]}
          inputMode="decimal"
          placeholder={name === "deposits" ? texts.noDeposits : undefined}
          value={draft[name]}
          refusal={refusalOf(draft[name], currencyOf(draft.lane))}
          onChange={(typed) => onChange({ [name]: typed })}
        />
      ))}
    </SimpleGrid>
  </>
);
