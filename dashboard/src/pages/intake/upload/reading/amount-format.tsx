import { Group, Radio, Text } from "@mantine/core";
import { ArrowRight } from "lucide-react";
import { Amount, AmountLine } from "../../../../components/amount.tsx";
import { UserText } from "../../../../components/user-text.tsx";
import { messages } from "./messages.tsx";
import type { FormatProposal, ReadingProposal } from "./proposal.ts";
import classes from "./reading.module.css";

const texts = messages.amounts;

/** Asks how the amounts of a file are written, with examples and the resulting totals. */
export function AmountFormat({
  amounts,
  format,
  onChange,
}: {
  readonly amounts: NonNullable<ReadingProposal["amounts"]>;
  readonly format: string | null;
  readonly onChange: (format: string) => void;
}) {
  const { values, proposed, formats } = amounts;
  const chosen = formats.find((each) => each.format === format);
  const suggested = formats.find((each) => each.format === proposed);
  return (
    <div className={classes.question} data-single={formats.length < 2 || undefined}>
      <div>
        <Text fw={600}>{suggested ? texts.looks(nameOf(suggested.format)) : texts.unclear}</Text>
        <Text size="sm" c="dimmed">
          {suggested ? texts.fits(suggested.fits, values) : texts.several}{" "}
          {suggested && suggested.only > 0 ? texts.only(suggested.only) : ""}
        </Text>
      </div>
      {formats.length < 2 ? null : (
        <Radio.Group value={format} onChange={onChange} aria-label={texts.choices}>
          <div className={classes.formats}>
            {formats.map((each) => (
              <Radio.Card key={each.format} value={each.format} className={classes.format ?? ""}>
                <Group gap="xs" wrap="nowrap" align="flex-start">
                  <Radio.Indicator size="xs" mt={2} />
                  <div>
                    <span className={classes.example}>{exampleOf(each.format)}</span>
                    <Text size="xs" c="dimmed">
                      {nameOf(each.format)} · {texts.fit(each.fits)}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
      )}
      {chosen ? <Result of={chosen} values={values} /> : null}
    </div>
  );
}

/** The amounts that a format makes of the examples, and of the whole file. */
const Result = ({ of, values }: { readonly of: FormatProposal; readonly values: number }) => (
  <div className={classes.result} role="status">
    {of.examples.map(({ text, currency, amount }, place) => (
      <span key={place}>
        <UserText text={text} /> <ArrowRight size={14} aria-hidden />{" "}
        <strong>{amount === null ? texts.unreadable : <Amount of={{ currency, amount }} />}</strong>
      </span>
    ))}
    <span className={classes.total}>
      {texts.total}{" "}
      <strong>
        <AmountLine of={of.totals} />
      </strong>
    </span>
    {of.fits < values ? (
      <Text size="xs" className={classes.wide ?? ""}>
        {texts.wrongRows(values - of.fits)}
      </Text>
    ) : null}
  </div>
);

const nameOf = (format: string): string => texts.names[format] ?? format;
const exampleOf = (format: string): string => (format === "plain" ? "1234.56" : format);
