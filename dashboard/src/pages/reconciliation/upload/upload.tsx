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
import { Upload } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { dateText } from "../../../base/dates.ts";
import { isolateDirection } from "../../../base/text.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { CheckedInput } from "../../../components/forms/amount-input.tsx";
import { DateField } from "../../../components/forms/date-field.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { useLaneName } from "../../../components/payout/lane-name.tsx";
import { Section } from "../../../components/section.tsx";
import { useLanes } from "../use-lanes.ts";
import { ComparisonResult } from "./comparison-result.tsx";
import { UnreadableStatement } from "./unreadable-statement.tsx";
import { messages as texts } from "./messages.ts";
import classes from "./upload.module.css";
import { refusalOf, type StatementAmounts } from "./statement-amounts.ts";
import { currencyOf, EMPTY_STATEMENT, type StatementDraft, useStatement } from "./use-statement.ts";

/** Loaded when a mapping is asked about. */
const MappingForm = lazy(async () => ({
  default: (await import("./mapping-form.tsx")).MappingForm,
}));

const route = getRouteApi("/dashboard/reconciliation/upload");
const crumbs = [{ to: "/reconciliation", label: texts.parent }];

/** Uploads a statement: its account and day, then the mapping of its columns, then the result. */
export function StatementPage() {
  const { lane = "", day = "" } = route.useSearch();
  const [draft, setDraft] = useState<StatementDraft>({ ...EMPTY_STATEMENT, lane, day });
  const statement = useStatement(draft);
  const { question, outside, result, problems, error } = statement;
  const refusal = useRef<HTMLDivElement>(null);
  const isRefused = outside !== null || problems !== null || error !== null;
  // The button may be far below the reason why the statement was not compared.
  useEffect(() => {
    if (isRefused) refusal.current?.scrollIntoView({ block: "center" });
  }, [isRefused]);
  return (
    <Page title={texts.title} crumbs={crumbs} facts={texts.explained}>
      <div ref={refusal} className={classes.refusal}>
        {outside === null ? null : (
          <Section title={texts.outsideTitle}>
            <Stack align="start">
              <Text size="sm">{texts.outside(outside, draft.day)}</Text>
              <Button
                loading={statement.isSending}
                onClick={() => statement.confirmOutside(outside)}
              >
                {texts.confirmOutside}
              </Button>
            </Stack>
          </Section>
        )}
        {problems ? <UnreadableStatement problems={problems} /> : null}
        {error ? <ErrorState error={error} /> : null}
      </div>
      {result || question ? null : (
        <Section title={texts.statement}>
          <StatementForm draft={draft} onDraft={setDraft} statement={statement} />
        </Section>
      )}
      {question ? (
        <>
          <Chosen draft={draft} onChange={statement.restart} />
          <Suspense fallback={<Loading lines={8} />}>
            <MappingForm
              question={question}
              currency={currencyOf(draft.lane)}
              isSending={statement.isSending}
              isReviewing={statement.isReviewing}
              onReview={statement.review}
              onConfirm={statement.confirm}
            />
          </Suspense>
        </>
      ) : null}
      {result ? (
        <ComparisonResult
          of={result}
          fileName={draft.file?.name ?? ""}
          onNext={() => {
            setDraft({ ...EMPTY_STATEMENT, day: draft.day });
            statement.restart();
          }}
        />
      ) : null}
    </Page>
  );
}

/** The statement whose mapping is shown, with the way back to its form. */
function Chosen({
  draft: { lane, day, file },
  onChange,
}: {
  readonly draft: StatementDraft;
  readonly onChange: () => void;
}) {
  const laneName = useLaneName();
  return (
    <Section
      title={texts.statement}
      actions={
        <Button size="xs" variant="default" onClick={onChange}>
          {texts.change}
        </Button>
      }
    >
      <Text size="sm">
        {[laneName(lane), dateText(day), isolateDirection(file?.name ?? "")].join(" · ")}
      </Text>
    </Section>
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
            leftSection={<Upload size={15} aria-hidden />}
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
    <Stack>
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
    </Stack>
  </details>
);

/** Optional numbers about the statement. */
const AmountFields = ({
  text,
  names,
  draft,
  onChange,
}: Fields & { readonly text: string; readonly names: readonly (keyof StatementAmounts)[] }) => (
  <Stack gap={8}>
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
  </Stack>
);
