import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./client.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused once it refuses again; silence is worth two more tries.
      retry: (failures, error) => !(error instanceof ApiProblem) && failures < 2,
    },
    // Without a connection it is refused at once: kept until there is one, it would be done when nobody looks any more.
    mutations: { networkMode: "always" },
  },
});

/** What was read, and by which searches one came to a page, is of the person who leaves. */
export function forgetAll(): void {
  queryClient.clear();
  sessionStorage.clear();
}
