import { List, Text } from "@mantine/core";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { messages } from "./messages.tsx";

const texts = messages.firstSteps;

const toUpload = (text: string) => <PageLink to="/upload">{text}</PageLink>;

/** The home page of a new ledger. */
export const FirstSteps = () => (
  <Section title={texts.title}>
    <List type="ordered" spacing="sm">
      <List.Item>{texts.template(toUpload)}</List.Item>
      <List.Item>{texts.upload(toUpload)}</List.Item>
      <List.Item>{texts.approve}</List.Item>
    </List>
    <Text size="sm" c="dimmed">
      {texts.secondPerson}
    </Text>
  </Section>
);
