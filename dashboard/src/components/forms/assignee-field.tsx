import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { assignableUsersQuery } from "../../server/assignable-users-query.ts";

/** Selects the user to whom something is assigned. "": nobody. */
export function AssigneeField({
  label,
  nobody,
  value,
  onChange,
}: {
  readonly label: string;
  /** The option that removes an assignment. */
  readonly nobody: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const { data } = useQuery(assignableUsersQuery);
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[
        ...(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        { value: "", label: nobody },
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
