import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Given } from "../../components/given.tsx";
import { When } from "../../components/when.tsx";
import { timelineQuery } from "./queries.ts";

/** Who gave the batch back the last time, and why; the log of the batch knows it. */
export function GivenBack({ id }: { readonly id: string }) {
  const { data: timeline } = useQuery(timelineQuery(id));
  const said = timeline?.items.findLast(({ action }) => action === "give_back");
  return (
    <Text size="sm">
      {said ? (
        <>
          Given back by <Given text={said.by.name} />, <When at={said.at} />: “
          <Given text={said.words ?? ""} />”
        </>
      ) : (
        "An approver gave it back."
      )}
    </Text>
  );
}
