import { notifications } from "@mantine/notifications";
import { onOtherSession } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { type Person, sessionQuery } from "./session.ts";

/**
 * Tabs share one cookie. Where somebody signs in in another one, this one says so, and shows nothing more of what was
 * loaded for whoever sat here before.
 */
export function watchPerson(): void {
  let known: Person | null = null;
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== SESSION) return;
    if (type === "removed") known = null;
    const person = queryClient.getQueryData(sessionQuery.queryKey)?.person ?? null;
    if (person === null || person.id === known?.id) return;
    const before = known;
    known = person;
    if (before === null) return;
    notifications.show({ message: since(person), color: "orange", autoClose: false });
    void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
  });
  onOtherSession(async () => {
    const before = queryClient.getQueryData(sessionQuery.queryKey);
    const now = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const { person } = now;
    if (person === null || now.csrf_token === before?.csrf_token) return null;
    return person.id === before?.person?.id
      ? { title: "You have signed in anew", detail: "Nothing was done yet. Try it once more." }
      : { title: "Somebody else has signed in here", detail: `${since(person)} Nothing was done.` };
  });
}

const [SESSION] = sessionQuery.queryKey;

const since = ({ name }: Person): string => `Somebody else has signed in here since: ${name}.`;
