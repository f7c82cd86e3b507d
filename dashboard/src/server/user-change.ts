import { notifications } from "@mantine/notifications";
import { onOtherSession } from "./client.ts";
import { messages } from "../base/messages.ts";
import { discardAnswers } from "./kept-answers.ts";
import { queryClient } from "./query-client.ts";
import { type Person, sessionQuery } from "./session.ts";

/**
 * Tabs share one session cookie. When another person signs in in another tab, this tab reports it
 * and discards the data that it loaded for the person before.
 */
export function watchUserChange(): void {
  let known: Person | null = null;
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== SESSION) return;
    if (type === "removed") known = null;
    const person = queryClient.getQueryData(sessionQuery.queryKey)?.person ?? null;
    if (person === null || person.id === known?.id) return;
    const before = known;
    known = person;
    if (before === null) return;
    notifications.show({
      message: texts.otherPersonNotice(person.name),
      color: "orange",
      autoClose: false,
    });
    discardAnswers();
    void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
  });
  onOtherSession(async () => {
    const before = queryClient.getQueryData(sessionQuery.queryKey);
    const now = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const { person } = now;
    if (person === null || now.csrf_token === before?.csrf_token) return null;
    return person.id === before?.person?.id ? texts.signedInAgain : texts.otherPerson(person.name);
  });
}

const [SESSION] = sessionQuery.queryKey;
const texts = messages.session;
