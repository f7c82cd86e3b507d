import { Alert, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Door } from "./door.tsx";
import { enter, ownPlace } from "./enter.ts";
import { SignIn } from "./sign-in.tsx";

export function LoginPage() {
  const { next, ended } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  return (
    <Door title="Sign in">
      {ended ? (
        <Alert color="yellow" variant="light" role="status">
          Your session has ended. Sign in, and you are back where you were.
        </Alert>
      ) : null}
      <SignIn
        onIn={async (session) => {
          enter(session);
          await navigate({ href: ownPlace(next) });
        }}
      />
      <Text size="sm" c="dimmed">
        Cannot get in? An admin can make you a new link.
      </Text>
    </Door>
  );
}
