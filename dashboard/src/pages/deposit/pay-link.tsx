import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { Copy, ExternalLink } from "lucide-react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { useMay } from "../../server/session.ts";
import { messages } from "./messages.ts";
import classes from "./pay-link.module.css";

const texts = messages.paymentPage;

/** The link for the payer, to copy or open. */
export function PayLink({ code }: { readonly code: string }) {
  return useMay("collect") ? (
    <VisibleLink code={code} />
  ) : (
    <Text size="sm" c="dimmed">
      {texts.linkHidden}
    </Text>
  );
}

function VisibleLink({ code }: { readonly code: string }) {
  const found = useQuery({
    queryKey: ["GET /api/deposits/:code/pay-url", code],
    queryFn: ({ signal }) => call("GET /api/deposits/:code/pay-url", { params: { code }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (found.error) return <ErrorState error={found.error} />;
  if (!found.data) return <Loading />;
  const { pay_url: address } = found.data;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(address);
    notifications.show({ message: texts.copied });
  };
  return (
    <>
      <code className={classes.address}>{address}</code>
      <Group gap="xs" mt="xs" mb="xs">
        {/* A page without https has no clipboard. */}
        {navigator.clipboard ? (
          <Button
            size="sm"
            leftSection={<Copy size={16} aria-hidden />}
            onClick={() => void copy()}
          >
            {texts.copy}
          </Button>
        ) : null}
        <Button
          component="a"
          size="sm"
          variant="default"
          href={address}
          target="_blank"
          rel="noreferrer"
          leftSection={<ExternalLink size={16} aria-hidden />}
        >
          {texts.open}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {texts.linkWarning}
      </Text>
    </>
  );
}
