import { TextInput } from "@mantine/core";
import { messages } from "./messages.ts";
/** Maximum length of a name or purpose, in characters, as on the server. */
const DESCRIPTION_CHARS_MAX = 200;

const texts = messages.description;

/** The name and purpose of a batch as typed. */
export interface Description {
  readonly name: string;
  readonly purpose: string;
}

/** The fields for the name and purpose of a batch. */
export const DescriptionFields = ({
  of,
  onChange,
}: {
  readonly of: Description;
  readonly onChange: (description: Description) => void;
}) => (
  <>
    {(["name", "purpose"] as const).map((field) => (
      <TextInput
        key={field}
        label={texts[field]}
        maxLength={DESCRIPTION_CHARS_MAX}
        value={of[field]}
        onChange={({ currentTarget: { value } }) => onChange({ ...of, [field]: value })}
      />
    ))}
  </>
);
