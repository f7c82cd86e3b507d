import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Page } from "../components/page.tsx";
import { messages } from "./messages.tsx";

/** The page shown for an address that the dashboard does not have. */
export function PageNotFound() {
  return (
    <Page title={messages.notFound.title}>
      <Text>
        {messages.notFound.text((text) => (
          <Anchor component={Link} to="/" underline="always">
            {text}
          </Anchor>
        ))}
      </Text>
    </Page>
  );
}
