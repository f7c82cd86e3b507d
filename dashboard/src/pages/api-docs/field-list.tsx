import classes from "./field-list.module.css";
import { InlineText } from "./markdown-text.tsx";
import { messages } from "./messages.ts";
import type { Field, Variant } from "./schema-fields.ts";

const texts = messages.schema;

/** A list with more fields than this begins with the fields of its objects folded. */
const OPEN_MAX = 3;

/** The forms of an object, each with its fields. */
export const Variants = ({
  of: variants,
  depth = 0,
  isAnswer = false,
}: {
  readonly of: readonly Variant[];
  readonly depth?: number;
  /** The server sends the fields: those that it may omit are marked, not the required ones. */
  readonly isAnswer?: boolean;
}) =>
  variants.map(({ label, fields }, at) => (
    <div key={at} className={classes.variant}>
      {label === null ? null : <p className={classes.label}>{label}</p>}
      <FieldList fields={fields} depth={depth} isAnswer={isAnswer} />
    </div>
  ));

/** Fields with their types, descriptions and limits. */
export const FieldList = ({
  fields,
  depth = 0,
  isAnswer = false,
}: {
  readonly fields: readonly Field[];
  readonly depth?: number;
  readonly isAnswer?: boolean;
}) => (
  <ul className={classes.fields}>
    {fields.map((field) => (
      <li key={field.name}>
        <OneField
          of={field}
          depth={depth}
          isAnswer={isAnswer}
          isOpen={depth === 0 && fields.length <= OPEN_MAX}
        />
      </li>
    ))}
  </ul>
);

function OneField({
  of: { name, type, isRequired, description, choices, rules, variants },
  depth,
  isAnswer,
  isOpen,
}: {
  readonly of: Field;
  readonly depth: number;
  readonly isAnswer: boolean;
  readonly isOpen: boolean;
}) {
  const isMarked = isRequired !== isAnswer;
  const count = variants.reduce((sum, { fields }) => sum + fields.length, 0);
  return (
    <>
      <p className={classes.name}>
        <code>{name}</code> <span>{type}</span>
        {isMarked ? <strong>{isAnswer ? texts.optional : texts.required}</strong> : null}
      </p>
      {description === "" ? null : (
        <p>
          <InlineText text={description} />
        </p>
      )}
      {choices.length === 0 ? null : (
        <p className={classes.choices}>
          {choices.map((each) => (
            <code key={each}>{each}</code>
          ))}
        </p>
      )}
      {rules.length === 0 ? null : <p className={classes.rules}>{rules.join(" · ")}</p>}
      {count === 0 ? null : (
        <details open={isOpen}>
          <summary>{texts.fields(count)}</summary>
          <Variants of={variants} depth={depth + 1} isAnswer={isAnswer} />
        </details>
      )}
    </>
  );
}
