import { Button } from "@mantine/core";
import { addressOf } from "../../../server/address.ts";
import { messages } from "./messages.tsx";

const FORMATS = ["xlsx", "csv"] as const;

/** The downloads of the rows with problems. */
export const RejectedRows = ({ id }: { readonly id: string }) =>
  FORMATS.map((format) => (
    <Button
      key={format}
      component="a"
      href={
        addressOf("GET /api/batches/:id/rejects", { params: { id }, query: { format } }).address
      }
      size="xs"
      variant="default"
    >
      {messages.rejectedRows[format]}
    </Button>
  ));
