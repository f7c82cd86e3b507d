import { List, Text } from "@mantine/core";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";

export function HomePage() {
  return (
    <Page title="Home">
      <Section title="How a file is paid">
        <List type="ordered">
          <List.Item>One person uploads a file and repairs what is wrong with it.</List.Item>
          <List.Item>Another person approves exactly what was checked.</List.Item>
          <List.Item>
            payrun sends each payout once, and asks until every one has an answer.
          </List.Item>
        </List>
        <Text size="sm" c="dimmed">
          Nothing is sent before it is approved.
        </Text>
      </Section>
    </Page>
  );
}
