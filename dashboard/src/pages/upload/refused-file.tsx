import { Alert, List, Text } from "@mantine/core";
import { FileX } from "lucide-react";
import { ApiProblem } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";

interface Shown {
  readonly message: string;
  readonly repair: string;
  readonly line: number | null;
}

/** Why nothing of a file was taken in, with what to do about it. */
export function RefusedFile({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiProblem) || error.code !== "file_refused") {
    return <ErrorState error={error} />;
  }
  const problems = (error.document["problems"] ?? []) as readonly Shown[];
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      title="Nothing of this file was taken in"
      icon={<FileX aria-hidden />}
    >
      <List size="sm">
        {problems.slice(0, 20).map(({ message, repair, line }) => (
          <List.Item key={`${line} ${message}`}>
            {line === null ? "" : `Line ${line}: `}
            {message} {repair}
          </List.Item>
        ))}
      </List>
      {problems.length > 20 ? <Text size="sm">and {problems.length - 20} more of them</Text> : null}
    </Alert>
  );
}
