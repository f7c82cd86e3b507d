import { List, Text } from "@mantine/core";
import { Go } from "../../components/go.tsx";
import { Section } from "../../components/section.tsx";

/** The home page of a ledger without a file. */
export const FirstSteps = () => (
  <Section title="Three steps to the first batch">
    <List type="ordered" spacing="sm">
      <List.Item>
        <Go to="/upload">Take a template</Go> of your currency and fill in its rows.
      </List.Item>
      <List.Item>
        <Go to="/upload">Upload the file</Go>. Every problem is shown with its repair; nothing is
        sent.
      </List.Item>
      <List.Item>
        Have another person approve it. Only then does payrun send it, each payout once.
      </List.Item>
    </List>
    <Text size="sm" c="dimmed">
      Nobody approves what they uploaded: invite a second person as an approver first.
    </Text>
  </Section>
);
