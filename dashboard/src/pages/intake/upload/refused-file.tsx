import { Alert, List, Text } from "@mantine/core";
import { FileX } from "lucide-react";
import { ApiProblem } from "../../../server/client.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { messages } from "./messages.tsx";

const texts = messages.refused;

interface Shown {
  readonly message: string;
  readonly correction: string;
  readonly line: number | null;
}

/** Why payrun rejected a file, and how to correct it. */
export function RefusedFile({ error, title }: { readonly error: unknown; readonly title: string }) {
  if (!(error instanceof ApiProblem) || error.code !== "file_unreadable") {
    return <ErrorState error={error} />;
  }
  const problems = (error.document["problems"] ?? []) as readonly Shown[];
  return (
    <Alert role="alert" color="red" variant="light" title={title} icon={<FileX aria-hidden />}>
      <List size="sm">
        {problems.slice(0, 20).map(({ message, correction, line }) => (
          <List.Item key={`${line} ${message}`}>
            {line === null ? "" : texts.line(line)}
            {message} {correction}
          </List.Item>
        ))}
      </List>
      {problems.length > 20 ? <Text size="sm">{texts.more(problems.length - 20)}</Text> : null}
    </Alert>
  );
}
