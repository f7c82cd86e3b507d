import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Page } from "../components/page.tsx";

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Text>
        The address may be mistyped, or the page is gone.{" "}
        <Anchor component={Link} to="/">
          Go to the home page
        </Anchor>
      </Text>
    </Page>
  );
}
