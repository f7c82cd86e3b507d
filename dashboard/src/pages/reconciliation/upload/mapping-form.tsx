import { Button, NativeSelect, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ZoneField } from "../../../components/forms/zone-field.tsx";
import { Section } from "../../../components/section.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { fieldOf, type FileColumn, isComplete, missingFields, withField } from "./file-columns.ts";
import { messages as texts } from "./messages.ts";
import { Review } from "./review.tsx";
import classes from "./upload.module.css";
import type { Mapping, MappingQuestion } from "./use-statement.ts";

/**
 * Shows how the columns of a statement are read, with the number of lines and their sum, for a
 * person to correct and confirm.
 */
export function MappingForm({
  question,
  currency,
  isSending,
  isReviewing,
  onReview,
  onConfirm,
}: {
  readonly question: MappingQuestion;
  readonly currency: string;
  readonly isSending: boolean;
  readonly isReviewing: boolean;
  readonly onReview: (mapping: Mapping) => void;
  readonly onConfirm: (mapping: Mapping) => void;
}) {
  const [draft, setDraft] = useState(question.mapping);
  const [words, setWords] = useState(() => textOf(question.mapping.words));
  const mapping = { ...draft, words: wordsIn(words) };
  const set = (change: Partial<Mapping>): void => {
    const next = { ...mapping, ...change };
    setDraft(next);
    if (isComplete(next.columns)) onReview(next);
  };
  const missing = missingFields(draft.columns);
  return (
    <Section title={texts.mapping} caption={texts.mappingExplained}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm(mapping);
        }}
      >
        <Stack>
          <DataTable
            caption={texts.columnCaption}
            hideCaption
            columns={columnsOf(draft.columns, (columns) => set({ columns }))}
            rows={question.names.map((name, at) => ({ name, values: question.samples[at] ?? [] }))}
            rowKey={({ name }) => name}
          />
          <Formats of={draft} onChange={set} />
          <Textarea
            label={texts.words}
            description={texts.wordsHint}
            autosize
            minRows={2}
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
            onBlur={() => {
              if (words !== textOf(question.mapping.words)) set({});
            }}
          />
          <div className={classes.confirm}>
            <Review
              of={missing.length === 0 ? question.review : null}
              missing={missing}
              currency={currency}
              isReviewing={isReviewing}
            />
            <Button type="submit" loading={isSending} disabled={!isComplete(draft.columns)}>
              {texts.confirm}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}

/** How amounts and times are written in the file. */
const Formats = ({
  of: { amounts, sign, zone },
  onChange,
}: {
  readonly of: Mapping;
  readonly onChange: (change: Partial<Mapping>) => void;
}) => (
  <SimpleGrid cols={{ base: 1, sm: 3 }}>
    <NativeSelect
      label={texts.amounts}
      value={amounts}
      data={texts.amountStyles}
      onChange={({ currentTarget }) => onChange({ amounts: currentTarget.value })}
    />
    <NativeSelect
      label={texts.sign}
      value={sign}
      data={Object.entries(texts.signs).map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget }) => onChange({ sign: currentTarget.value })}
    />
    <ZoneField label={texts.zone} value={zone} onChange={(next) => onChange({ zone: next })} />
  </SimpleGrid>
);

const columnsOf = (
  chosen: Mapping["columns"],
  onChoose: (columns: Mapping["columns"]) => void,
): readonly Column<FileColumn>[] => [
  {
    key: "name",
    header: texts.yourColumn,
    names: true,
    cell: ({ name }) => <UserText text={name} />,
  },
  {
    key: "meaning",
    header: texts.meaning,
    cell: ({ name }) => (
      <NativeSelect
        size="xs"
        maw={260}
        aria-label={texts.meaningOf(name)}
        value={fieldOf(chosen, name)}
        data={[
          { value: "", label: texts.notRead },
          ...Object.entries(texts.fields).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => onChoose(withField(chosen, name, currentTarget.value))}
      />
    ),
  },
  {
    key: "values",
    header: texts.firstValues,
    cell: ({ values }) =>
      values.length === 0 ? (
        "–"
      ) : (
        <Text size="sm" c="dimmed" span>
          <UserText text={values.join(" · ")} />
        </Text>
      ),
  },
];

const textOf = (words: Mapping["words"]): string =>
  Object.entries(words)
    .map(([word, result]) => `${word}=${result}`)
    .join("\n");

/** Reads one word with its result per line. The server refuses a line without a result. */
const wordsIn = (text: string): Mapping["words"] =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map((line) => {
        const at = line.lastIndexOf("=");
        return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );
